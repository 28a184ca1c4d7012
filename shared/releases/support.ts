import type { Minor } from '../version/minor.ts';

/** Until when a minor gets fixes, as dates. */
export interface SupportEnd {
  /** With every subscription. */
  readonly maintenance: string;
  /** With the last term of extended update support that can be bought; null where there is none. */
  readonly extended: string | null;
}

/**
 * The life cycle as Red Hat publishes it, state of November 2026. Minors that are not in it had no date yet, or have long
 * ended.
 */
export const SUPPORT_ENDS: Readonly<Partial<Record<Minor, SupportEnd>>> = {
  '4.12': { maintenance: '2024-07-17', extended: '2026-01-17' },
  '4.13': { maintenance: '2024-11-17', extended: null },
  '4.14': { maintenance: '2025-05-01', extended: '2026-10-31' },
  '4.15': { maintenance: '2025-08-27', extended: null },
  '4.16': { maintenance: '2025-12-27', extended: '2027-06-27' },
  '4.17': { maintenance: '2026-04-01', extended: null },
  '4.18': { maintenance: '2026-08-25', extended: '2028-02-25' },
  '4.19': { maintenance: '2026-12-17', extended: null },
  '4.20': { maintenance: '2027-04-21', extended: '2028-10-21' },
  '4.21': { maintenance: '2027-08-03', extended: null },
};
