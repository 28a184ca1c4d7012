import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type {
  DeleteObjectsCommandInput,
  DeleteObjectsCommandOutput,
  GetObjectCommandInput,
  GetObjectCommandOutput,
  ListObjectsV2CommandInput,
  ListObjectsV2CommandOutput,
  PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { gunzipSync, gzipSync } from 'node:zlib';

interface Clients {
  readonly s3: S3Client;
  readonly table: DynamoDBClient;
}

/** Makes the clients of an invocation behave as a program with a bug would; `memory` is that of all invocations of a trial. */
export type PlantedBug = (clients: Clients, memory: Map<string, unknown>) => void;

/** The kinds of bugs that the invariants must find. */
export const PLANTED_BUGS = {
  /** The plan is carried out from its end. */
  'blobs before links': ({ s3 }) => {
    wrap<PutObjectCommandInput, object>(s3, 'PutObjectCommand', (input, next) => {
      if (!input.Key!.endsWith('/plan')) return next(input);
      const lines = linesOf(input);
      return next({
        ...input,
        Body: gzipSync(
          lines
            .toReversed()
            .map((line) => `${line}\n`)
            .join(''),
        ),
      });
    });
  },

  /** What DeleteObjects could not delete counts as deleted. */
  'errors of a deletion ignored': ({ s3 }) => {
    wrap<DeleteObjectsCommandInput, DeleteObjectsCommandOutput>(
      s3,
      'DeleteObjectsCommand',
      async (input, next) => ({
        ...(await next(input)),
        Deleted: input.Delete!.Objects!.map(({ Key }) => ({ Key })),
        Errors: [],
      }),
    );
  },

  /** After the deletion nobody looks for what came into use meanwhile. */
  'nothing revived': ({ s3 }, memory) => {
    const isPlanned = followPlan(s3, memory);
    wrap<ListObjectsV2CommandInput, ListObjectsV2CommandOutput>(
      s3,
      'ListObjectsV2Command',
      async (input, next) => {
        const page = await next(input);
        return isPlanned() && input.Prefix!.endsWith('repositories/') ? { ...page, Contents: [] } : page;
      },
    );
  },

  /** A batch is noted as deleted before it is, so that after a crash it never is. */
  'cursor before the batch': ({ s3, table }, memory) => {
    wrap<PutObjectCommandInput, object>(s3, 'PutObjectCommand', (input, next) => {
      if (input.Key!.endsWith('/plan'))
        memory.set(
          'plan',
          linesOf(input).map((line) => line.split(' ')[0]),
        );
      return next(input);
    });
    wrap<UpdateItemCommandInput, object>(table, 'UpdateItemCommand', (input, next) => {
      const values = Object.entries(input.ExpressionAttributeValues ?? {}).map(([name, value]) => {
        if (!value.S?.startsWith('{"slot"')) return [name, value] as const;
        const progress = JSON.parse(value.S) as { phase: string; deletedLines: number };
        const kinds = memory.get('plan') as string[];
        if (progress.phase !== 'delete') return [name, value] as const;
        const kind = kinds[progress.deletedLines];
        while (progress.deletedLines < kinds.length && kinds[progress.deletedLines] === kind)
          progress.deletedLines++;
        return [name, { S: JSON.stringify(progress) }] as const;
      });
      return next({ ...input, ExpressionAttributeValues: Object.fromEntries(values) });
    });
  },

  /** The age of links is not looked at. */
  'young links ignored': ({ s3 }, memory) => {
    const isPlanned = followPlan(s3, memory);
    wrap<ListObjectsV2CommandInput, ListObjectsV2CommandOutput>(
      s3,
      'ListObjectsV2Command',
      async (input, next) => {
        const page = await next(input);
        if (isPlanned() || !input.Prefix!.endsWith('repositories/')) return page;
        return {
          ...page,
          Contents: page.Contents?.map((object) => ({ ...object, LastModified: new Date(0) })),
        };
      },
    );
  },

  /** A run decides by what the run before it had listed. */
  'stale listing': ({ s3 }, memory) => {
    wrap<PutObjectCommandInput, object>(s3, 'PutObjectCommand', (input, next) => {
      if (input.Key!.endsWith('/inventory')) {
        memory.set(input.Key!, memory.get('last'));
        memory.set('last', input.Body);
      }
      return next(input);
    });
    wrap<GetObjectCommandInput, GetObjectCommandOutput>(s3, 'GetObjectCommand', async (input, next) => {
      const answer = await next(input);
      const stale = memory.get(input.Key!) as Uint8Array | undefined;
      if (stale === undefined) return answer;
      await answer.Body!.transformToByteArray();
      return {
        ...answer,
        Body: { transformToByteArray: async () => stale } as GetObjectCommandOutput['Body'] & object,
      };
    });
  },
} satisfies Record<string, PlantedBug>;

export type BugName = keyof typeof PLANTED_BUGS;

/** Tells whether the run at hand has made its plan. */
function followPlan(s3: S3Client, memory: Map<string, unknown>): () => boolean {
  wrap<PutObjectCommandInput, object>(s3, 'PutObjectCommand', (input, next) => {
    if (input.Key!.endsWith('/plan')) memory.set('isPlanned', true);
    if (input.Key!.endsWith('/inventory')) memory.delete('isPlanned');
    return next(input);
  });
  return () => memory.has('isPlanned');
}

function linesOf({ Body }: PutObjectCommandInput): string[] {
  return gunzipSync(Body as Uint8Array)
    .toString()
    .split('\n')
    .slice(0, -1);
}

function wrap<Input, Output>(
  client: S3Client | DynamoDBClient,
  command: string,
  change: (input: Input, next: (input: Input) => Promise<Output>) => Promise<Output>,
): void {
  (client as S3Client).middlewareStack.add(
    (next, context) => async (call) => {
      if (context.commandName !== command) return next(call);
      let response: unknown;
      const output = await change(call.input as Input, async (input) => {
        const result = await next({ ...call, input: input as typeof call.input });
        response = result.response;
        return result.output as Output;
      });
      return { output: output as never, response };
    },
    { step: 'initialize' },
  );
}
