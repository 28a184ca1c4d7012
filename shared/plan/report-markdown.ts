import { asMarkdown } from '../text/markdown.ts';
import { reportDocument } from './report.ts';
import type { UpgradeReport } from './plan.ts';

/** A report as Markdown for tickets. */
export function reportAsMarkdown(report: UpgradeReport): string {
  return asMarkdown(reportDocument(report));
}
