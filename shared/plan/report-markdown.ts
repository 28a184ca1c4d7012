import { asMarkdown } from '../text/markdown.ts';
import { reportDocument } from './report-document.ts';
import type { UpgradeReport } from './upgrade-report.ts';

/** A report as Markdown for tickets. */
export function reportAsMarkdown(report: UpgradeReport): string {
  return asMarkdown(reportDocument(report));
}
