import type { Arch } from '@cairn/shared/version/arch';
import type { VersionAnswer } from '../data/responses.ts';
import { getJson } from '../data/api.ts';
import { useResource } from '../data/resource.ts';
import { countsInWords } from '../lanes/words.ts';
import { shortDigest } from '../ui/words.ts';
import { followInPage, linkTo } from '../state/navigation.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { ExternalLink } from '../ui/external-link.tsx';
import { Pill } from '../ui/pill.tsx';
import { Loaded } from '../ui/loaded.tsx';

/** Where a version is held, by which images, and what leads to it and on from it. */
export function VersionDetails({ version, arch }: { readonly version: string; readonly arch: Arch }) {
  const resource = useResource(`${version} ${arch}`, (signal) =>
    getJson<VersionAnswer>(`/v1/versions/${encodeURIComponent(version)}?arch=${arch}`, signal),
  );
  return (
    <Loaded resource={resource} what={`details of ${version}`}>
      {(answer) => <Details answer={answer} />}
    </Loaded>
  );
}

function Details({
  answer: { version, withdrawn, errata, releases, updates },
}: {
  readonly answer: VersionAnswer;
}) {
  const own = releases.filter(({ arch }) => arch === updates.arch);
  const gone = new Set(own.flatMap(({ withdrawnFrom }) => withdrawnFrom));
  const counts = (listed: VersionAnswer['updates']['from']) => {
    const recommended = listed.filter(({ risks }) => risks.length === 0).length;
    return { recommended, conditional: listed.length - recommended };
  };
  return (
    <div class="stack releases-details">
      {withdrawn && (
        <p>
          <Pill tone="block">Withdrawn</Pill> No channel lists it any more.
        </p>
      )}
      <dl class="releases-facts">
        <dt>Updates in {updates.channel}</dt>
        <dd>
          {countsInWords(counts(updates.from), 'in')}, {countsInWords(counts(updates.to), 'out')}
        </dd>
        <dt>Channels on {updates.arch}</dt>
        <dd class="row">
          {[...new Set(own.flatMap(({ channels }) => channels))].map((channel) => (
            <span key={channel}>
              <a
                class="mono"
                href={linkTo('channels', { open: channel, find: '', sel: version })}
                onClick={followInPage}
              >
                {channel}
              </a>
              {gone.has(channel) && ' (withdrawn)'}
            </span>
          ))}
        </dd>
        {errata !== null && (
          <>
            <dt>Errata</dt>
            <dd>
              <ExternalLink href={errata}>{errata.split('/').at(-1)}</ExternalLink>
            </dd>
          </>
        )}
        <dt>Images</dt>
        <dd>
          <ul class="stack-small">
            {releases.map(({ arch, payload, digest }) => (
              <li key={`${arch} ${digest}`} class="row">
                <span class="releases-arch">{arch}</span>
                <code title={digest}>{shortDigest(digest)}</code>
                <CopyButton kind="plain" text={() => digest} what={`the digest of ${version} on ${arch}`}>
                  Copy digest
                </CopyButton>
                <CopyButton kind="plain" text={() => payload} what={`the image of ${version} on ${arch}`}>
                  Copy image
                </CopyButton>
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </div>
  );
}
