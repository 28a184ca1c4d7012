import { readFileSync } from 'node:fs';
import {
  CONTROL_PLANE_ASSESSMENTS,
  INSIGHT_TYPES,
  NODE_PHASES,
  POOL_ASSESSMENTS,
  UPDATE_STATES,
} from '@cairn/shared/update-status/answer';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../../docs/reference/update-status.md', import.meta.url), 'utf8');

describe('docs/reference/update-status.md', () => {
  it('has a section for each insight, and no other', () => {
    const sections = [...page.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
    expect(sections).toEqual([...INSIGHT_TYPES]);
  });

  it('explains each value', () => {
    const values = [...UPDATE_STATES, ...CONTROL_PLANE_ASSESSMENTS, ...NODE_PHASES, ...POOL_ASSESSMENTS];
    expect(values.filter((value) => !page.includes(`\`${value}\``))).toEqual([]);
  });
});
