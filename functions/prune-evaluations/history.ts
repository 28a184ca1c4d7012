import { HISTORY_RULES } from '@cairn/shared/prune/history/criteria';
import { inColumns } from '@cairn/shared/text/as-text';
import { joinInWords } from '@cairn/shared/text/words';
import { cleanLine } from '@cairn/shared/text/quote';
import type { HistoriesVerdict, HistoryVerdict } from './history-evaluations.ts';

/** What a history would lose, for a person: every entry with its rank, and those that go in which order. */
export function historyAsText({ mode, max, removed, ranks }: HistoryVerdict): string {
  const order = new Map(removed.map(({ index }, position) => [index, position + 1]));
  const rows = ranks.map((ranked) => [
    String(ranked.index),
    ranked.state || '-',
    ranked.version || '-',
    ranked.rank.toFixed(2),
    ranked.class,
    order.has(ranked.index) ? `removed ${order.get(ranked.index)}` : '',
    whatItIs(ranked),
  ]);
  const header = ['INDEX', 'STATE', 'VERSION', 'RANK', 'CLASS', 'REMOVED', 'REASON'];
  const table = rows.length === 0 ? [] : [...inColumns([header, ...rows], { numbers: [0, 3] }), ''];
  const sum = `${goneInWords(removed.length, ranks.length)} (mode ${mode}, max ${max})`;
  return `${[...table, sum].join('\n')}\n`;
}

/** The same for many: a block for each with what it would lose, and the sum. */
export function historiesAsText({ mode, max, evaluations, summary }: HistoriesVerdict): string {
  const blocks = evaluations.map(({ name, entries, removed, removedTotal }, index) => {
    const title = `${name === null ? `history ${index}` : cleanLine(name)}: ${goneInWords(removedTotal, entries)}`;
    if (removed.length === 0) return title;
    const rows = removed.map((removal) => [
      String(removal.index),
      removal.state || '-',
      removal.version || '-',
      removal.rank.toFixed(2),
      removal.class,
      removal.reason,
    ]);
    const header = ['INDEX', 'STATE', 'VERSION', 'RANK', 'CLASS', 'REASON'];
    const more = removedTotal - removed.length;
    const table = inColumns([header, ...rows], { numbers: [0, 3] }).map((line) => `  ${line}`);
    return [title, ...table, ...(more > 0 ? [`  and ${more} more, which are not listed`] : [])].join('\n');
  });
  const classes = Object.entries(summary.byClass).filter(([, count]) => count > 0);
  const which = joinInWords(classes.map(([name, count]) => `${count} ${name}`));
  const of = `${entriesInWords(summary.entries)} in ${summary.histories === 1 ? '1 history' : `${summary.histories} histories`}`;
  const sum = `${summary.removed} of ${of} removed${which && `: ${which}`} (mode ${mode}, max ${max})`;
  return `${[...blocks, sum].join('\n\n')}\n`;
}

/** The operator has one text for what it protects and for what matters least. */
function whatItIs({ class: ofClass, reason, terms }: HistoryVerdict['ranks'][number]): string {
  if (ofClass !== 'protected') return reason;
  const counted = terms.find((term) => term.counted)?.name;
  return HISTORY_RULES.fleet.criteria.find(({ name }) => name === counted)?.reason ?? reason;
}

function goneInWords(removed: number, entries: number): string {
  const all = entriesInWords(entries);
  return removed === 0 ? `nothing of ${all} removed` : `${removed} of ${all} removed`;
}

function entriesInWords(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}
