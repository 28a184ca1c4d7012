import { asText } from '../text/as-text.ts';
import { reportDocument } from './report.ts';
import type { UpgradeReport } from './plan.ts';

/** A report as plain text for terminals and mail. */
export function reportAsText(report: UpgradeReport): string {
  return asText(reportDocument(report));
}
