import {
  type BucketVersioningStatus,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  type ListObjectVersionsCommandOutput,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { S3Connection } from './s3-session.ts';

export interface ListedVersion {
  readonly key: string;
  readonly id: string | undefined;
  readonly isLatest: boolean;
  /** Absent for a delete marker. */
  readonly size?: number;
}

/** The SDK separates objects and delete markers, so their common order is lost. */
export interface VersionPage {
  readonly objects: readonly ListedVersion[];
  readonly markers: readonly ListedVersion[];
}

type ListOptions = Omit<ListObjectVersionsCommandInput, 'Bucket'>;

/** Calls for tests of versions. The connection is read at each call. */
export function createVersionCalls(connection: () => S3Connection) {
  const client = () => connection().client;
  const bucket = () => connection().bucket;
  const target = (Key: string, VersionId?: string) => ({
    Bucket: bucket(),
    Key,
    ...(VersionId === undefined ? {} : { VersionId }),
  });
  const list = (options: ListOptions): Promise<ListObjectVersionsCommandOutput> =>
    client().send(new ListObjectVersionsCommand({ Bucket: bucket(), ...options }));
  const versionPages = async (options: ListOptions): Promise<VersionPage[]> => {
    const pages: VersionPage[] = [];
    let markers: ListOptions = {};
    for (;;) {
      const page = await list({ ...options, ...markers });
      pages.push(versionPage(page));
      const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
      expect(page.IsTruncated ?? false).toBe(KeyMarker !== undefined);
      if (KeyMarker === undefined) return pages;
      markers = { KeyMarker, ...(VersionIdMarker === undefined ? {} : { VersionIdMarker }) };
    }
  };
  return {
    setVersioning: (Status: BucketVersioningStatus) =>
      client().send(
        new PutBucketVersioningCommand({ Bucket: bucket(), VersioningConfiguration: { Status } }),
      ),
    versioning: async () =>
      (await client().send(new GetBucketVersioningCommand({ Bucket: bucket() }))).Status,
    list,
    versionPages,
    versions: async (prefix: string): Promise<VersionPage> => {
      const pages = await versionPages({ Prefix: prefix });
      return {
        objects: pages.flatMap(({ objects }) => objects),
        markers: pages.flatMap(({ markers }) => markers),
      };
    },
    put: (key: string, body: string, more: Partial<PutObjectCommandInput> = {}) =>
      client().send(new PutObjectCommand({ ...target(key), Body: body, ...more })),
    head: (key: string, versionId?: string) => client().send(new HeadObjectCommand(target(key, versionId))),
    text: async (key: string, versionId?: string) => {
      const { Body } = await client().send(new GetObjectCommand(target(key, versionId)));
      return Body!.transformToString();
    },
    remove: (key: string, versionId?: string) =>
      client().send(new DeleteObjectCommand(target(key, versionId))),
    removeAll: (Objects: { Key: string; VersionId?: string }[]) =>
      client().send(new DeleteObjectsCommand({ Bucket: bucket(), Delete: { Objects } })),
    keys: async (prefix: string) => {
      const { Contents } = await client().send(
        new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix }),
      );
      return (Contents ?? []).map(({ Key }) => Key);
    },
  };
}

function versionPage({ Versions = [], DeleteMarkers = [] }: ListObjectVersionsCommandOutput): VersionPage {
  return {
    objects: Versions.map(({ Key, VersionId, IsLatest, Size }) => ({
      key: Key!,
      id: VersionId,
      isLatest: IsLatest!,
      size: Size!,
    })),
    markers: DeleteMarkers.map(({ Key, VersionId, IsLatest }) => ({
      key: Key!,
      id: VersionId,
      isLatest: IsLatest!,
    })),
  };
}

export interface Refusal {
  readonly status: number | undefined;
  readonly isMarker: boolean;
}

/** Error of a read, and whether a delete marker caused it. */
export async function refusalOf(attempt: Promise<unknown>): Promise<Refusal> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof S3ServiceException)) throw new Error('the server did not refuse', { cause: error });
  const headers = (error.$response?.headers ?? {}) as Readonly<Record<string, string>>;
  return {
    status: error.$metadata.httpStatusCode,
    isMarker: headers['x-amz-delete-marker'] === 'true',
  };
}
