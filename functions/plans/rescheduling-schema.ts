import { NOTE_EFFECTS } from '@cairn/shared/safety/values';
import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';

const PodsMovedTwice = /* @__PURE__ */ lazy(() =>
  z
    .object({
      optimum: z.int().check(z.describe('As few as can be')),
      observed: z.int().check(z.describe('As many as is usual')),
    })
    .check(z.meta({ id: 'PodsMovedTwice', description: 'Pods that move more than once' })),
);

export const Rescheduling = /* @__PURE__ */ lazy(() =>
  z
    .union([
      z
        .object({
          optimum: z.number(),
          observedBaseline: z.number(),
          avoidable: z.number(),
          perRoll: z
            .optional(PodsMovedTwice())
            .check(
              z.describe(
                'Pods that are moved more than once when each pool restarts once; only when the pods were supplied',
              ),
            ),
          wholeWay: z.optional(PodsMovedTwice()).check(z.describe('The same with all restarts on the path')),
          domains: z.array(
            z.object({
              pool: z.string(),
              zone: z.string(),
              nodes: z.int(),
              pods: z
                .optional(z.int())
                .check(z.describe('That a drain moves; only when the pods were supplied')),
              optimum: z.number(),
              expectedPodsMovedTwice: z.optional(z.int()),
              rolls: z.int().check(z.describe('How many times the pool restarts on the path')),
            }),
          ),
          advice: z.array(
            z.object({
              type: z.string(),
              effect: z.enum(NOTE_EFFECTS),
              text: z.string(),
              nodes: z.optional(z.array(z.string())),
            }),
          ),
        })
        .check(
          z.meta({
            id: 'KnownRescheduling',
            description: 'Estimated number of pods that move to other nodes',
          }),
        ),
      z.strictObject({ optimum: z.null(), reason: z.string() }).check(
        z.meta({
          id: 'UnknownRescheduling',
          description: 'The reason why the number of moved pods is not known',
        }),
      ),
    ])
    .check(
      z.meta({ id: 'Rescheduling', description: 'How many pods a rolling restart moves more than once' }),
    ),
);
