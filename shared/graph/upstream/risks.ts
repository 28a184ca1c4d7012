import type { Repairs } from './repairs.ts';
import { isHttpUrl, isRecord, quote } from './values.ts';
import { compareRisks, riskText, type MatchingRule, type Risk } from '../risk.ts';

/** Reads risks; equal ones, which recur in group after group, become one object. */
export class RiskReader {
  readonly #repairs: Repairs;
  readonly #known = new Map<string, Risk>();

  constructor(repairs: Repairs) {
    this.#repairs = repairs;
  }

  /** The risks of one group in canonical order, or null when clients could not judge one of them. */
  readSet(raw: readonly unknown[]): readonly Risk[] | null {
    if (raw.length === 0) {
      this.#repairs.note('RiskUnusable', 'a group without risks');
      return null;
    }
    const risks = raw.map((risk) => this.#read(risk));
    return risks.includes(null) ? null : this.merge(risks.filter((risk) => risk !== null));
  }

  /** All risks once by name, in canonical order. */
  merge(risks: readonly Risk[]): readonly Risk[] {
    const merged: Risk[] = [];
    // Equal risks are one object here, so the set leaves only those that truly differ to be compared.
    for (const risk of [...new Set(risks)].toSorted(compareRisks)) {
      if (merged.at(-1)?.name === risk.name) this.#repairs.note('RiskNameConflict', quote(risk.name));
      else merged.push(risk);
    }
    return merged;
  }

  #read(raw: unknown): Risk | null {
    const { url, name, message, matchingRules } = isRecord(raw) ? raw : {};
    const rules = Array.isArray(matchingRules) ? matchingRules.map(readRule) : [];
    const known = rules.filter((rule) => rule !== null);
    if (!isFilled(name) || !isFilled(message) || typeof url !== 'string' || !isHttpUrl(url.trim())) {
      this.#repairs.note('RiskUnusable', `${quote(name)} without a name, a message or an http(s) url`);
      return null;
    }
    if (known.length === 0) {
      this.#repairs.note('RiskUnusable', `${quote(name)} without a rule that clients know`);
      return null;
    }
    if (known.length < rules.length) this.#repairs.note('RulePruned', quote(name));
    if (url !== url.trim()) this.#repairs.note('UrlTrimmed', `${quote(name)} ${quote(url)}`);
    const risk: Risk = { url: url.trim(), name, message, matchingRules: known };
    const text = riskText(risk);
    const same = this.#known.get(text) ?? risk;
    this.#known.set(text, same);
    return same;
  }
}

/** Only what clients evaluate is taken over: `{type: 'Always'}`, or `PromQL` with a query. */
function readRule(raw: unknown): MatchingRule | null {
  if (!isRecord(raw)) return null;
  if (raw['type'] === 'Always') return { type: 'Always' };
  if (raw['type'] !== 'PromQL' || !isRecord(raw['promql'])) return null;
  const { promql } = raw['promql'];
  return isFilled(promql) ? { type: 'PromQL', promql: { promql } } : null;
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
