import { asText } from '../text/as-text.ts';
import { reportDocument } from './report-document.ts';
import type { UpgradeReport } from './upgrade-report.ts';

/** A report as plain text for terminals and mail. */
export function reportAsText(report: UpgradeReport): string {
  return asText(reportDocument(report));
}
