import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../helpers/listen.ts';

const run = promisify(execFile);
const GUIDE = new URL('../../../../docs/prune-a-registry.md', import.meta.url);

export interface RegistryPrograms {
  readonly registry: string;
  readonly skopeo: string;
  /** Where their libraries are, when they are not installed. */
  readonly libraries: string | undefined;
}

/** Why the programs cannot be used is told by nobody else. */
export function registryPrograms(): RegistryPrograms | null {
  const { CAIRN_REGISTRY: registry, CAIRN_SKOPEO: skopeo, CAIRN_LIBRARIES: libraries } = process.env;
  return registry === undefined || skopeo === undefined ? null : { registry, skopeo, libraries };
}

/** As `endpoints.json` names them. */
export interface RegistryBucket {
  readonly s3: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly registryBucket: string;
}

/** A folder for the configuration, the programs, and where the images are. */
export interface RegistrySetup {
  readonly work: string;
  readonly programs: RegistryPrograms;
  readonly bucket: RegistryBucket;
  /** In addition to the configuration in the guide: `REGISTRY_…`. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The distribution registry over a bucket, configured as the guide says, and a real client of it. */
export class RealRegistry {
  readonly url: string;
  readonly #programs: RegistryPrograms;
  readonly #host: string;
  readonly #stop: () => Promise<void>;

  private constructor(programs: RegistryPrograms, host: string, stop: () => Promise<void>) {
    this.url = `http://${host}`;
    this.#programs = programs;
    this.#host = host;
    this.#stop = stop;
  }

  static async start(setup: RegistrySetup): Promise<RealRegistry> {
    const host = `127.0.0.1:${await freePort()}`;
    const child = spawn(setup.programs.registry, ['serve', configFile(setup.work)], {
      env: environmentOf(setup, { REGISTRY_HTTP_ADDR: host }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    for (let attempt = 0; ; attempt++) {
      const answer = await fetch(`http://${host}/v2/`).catch(() => null);
      if (answer?.ok) break;
      if (attempt === 300 || child.exitCode !== null) throw new Error(`the registry does not start: ${told}`);
      await sleep(100);
    }
    return new RealRegistry(setup.programs, host, async () => {
      child.kill('SIGTERM');
      await ended;
    });
  }

  async push(layout: string, name: string, image: string): Promise<void> {
    await this.#skopeo(
      'copy',
      '--all',
      '--dest-tls-verify=false',
      `oci:${layout}:${name}`,
      this.#remote(image),
    );
  }

  /** Reads every manifest and every layer of an image. */
  async pull(image: string, into: string): Promise<void> {
    await this.#skopeo('copy', '--all', '--src-tls-verify=false', this.#remote(image), `oci:${into}:pulled`);
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  #remote(image: string): string {
    return `docker://${this.#host}/${image}`;
  }

  async #skopeo(...words: string[]): Promise<void> {
    await run(this.#programs.skopeo, ['--insecure-policy', ...words], { env: withLibraries(this.#programs) });
  }
}

/** Digests of the blobs that the collector of the registry itself would remove. It removes nothing here. */
export async function collectable(setup: RegistrySetup, isTagless: 'kept' | 'collected'): Promise<string[]> {
  const words = ['garbage-collect', '--dry-run', ...(isTagless === 'collected' ? ['--delete-untagged'] : [])];
  const env = environmentOf(setup, {});
  const { stdout } = await run(setup.programs.registry, [...words, configFile(setup.work)], { env });
  // Its last line but the list, so that a change of the wording is noticed.
  const [, count] =
    /^\d+ blobs marked, (\d+) blobs and \d+ manifests eligible for deletion$/m.exec(stdout) ?? [];
  const digests = [...stdout.matchAll(/^blob eligible for deletion: (\S+)$/gm)].map(([, digest]) => digest!);
  if (digests.length !== Number(count)) throw new Error(`the collector is not understood: ${stdout}`);
  return digests.toSorted();
}

/** The configuration in the guide, so that it is one that works. */
function configFile(work: string): string {
  const [, config] = /^```yaml\n(version: 0\.1\n.*?)^```/ms.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const file = join(work, 'registry.yml');
  writeFileSync(file, config!);
  return file;
}

/** The variables that the guide sets, from the fields that it takes them from. */
function environmentOf(
  { programs, bucket, environment }: RegistrySetup,
  more: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const lines = readFileSync(GUIDE, 'utf8').matchAll(
    /^export (REGISTRY_\w+)=\$\(jq -r \.(\w+) \$endpoints\)$/gm,
  );
  const documented = [...lines].map(([, name, field]) => [name, bucket[field as keyof RegistryBucket]]);
  // The guide names the bucket of `npm start`.
  const own = { REGISTRY_STORAGE_S3_BUCKET: bucket.registryBucket, REGISTRY_LOG_LEVEL: 'error' };
  const { AWS_CA_BUNDLE: _, ...inherited } = withLibraries(programs);
  return { ...inherited, ...Object.fromEntries(documented), ...own, ...environment, ...more };
}

function withLibraries({ libraries }: RegistryPrograms): NodeJS.ProcessEnv {
  return libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries };
}
