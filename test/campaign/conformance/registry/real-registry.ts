import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../helpers/listen.ts';

const run = promisify(execFile);

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

/** The distribution registry over a folder, and a client of it. */
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

  static async start(programs: RegistryPrograms, work: string, storage: string): Promise<RealRegistry> {
    const host = `127.0.0.1:${await freePort()}`;
    const child = spawn(programs.registry, ['serve', configFile(work, storage, host)], {
      env: environmentOf(programs),
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
    return new RealRegistry(programs, host, async () => {
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

  /** The status and digest that a client is told of a manifest or a blob. */
  async look(path: string): Promise<{ readonly status: number; readonly digest: string | null }> {
    const accept = 'application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json';
    const { status, headers } = await fetch(`${this.url}/v2/${path}`, {
      method: 'HEAD',
      headers: { accept },
    });
    return { status, digest: headers.get('docker-content-digest') };
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  #remote(image: string): string {
    return `docker://${this.#host}/${image}`;
  }

  async #skopeo(...words: string[]): Promise<void> {
    await run(this.#programs.skopeo, ['--insecure-policy', ...words], { env: environmentOf(this.#programs) });
  }
}

/** The collector of the registry itself, with untagged manifests. */
export async function collectGarbage(
  programs: RegistryPrograms,
  work: string,
  storage: string,
): Promise<void> {
  const words = ['garbage-collect', '--delete-untagged', configFile(work, storage, '127.0.0.1:0')];
  await run(programs.registry, words, { env: environmentOf(programs) });
}

function configFile(work: string, storage: string, host: string): string {
  const file = join(work, 'registry.yml');
  const config = {
    version: '0.1',
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: storage }, delete: { enabled: true } },
    http: { addr: host },
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  return file;
}

function environmentOf({ libraries }: RegistryPrograms): NodeJS.ProcessEnv {
  return libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries };
}
