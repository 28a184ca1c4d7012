import { type MinorSupport, supportInWords } from '@cairn/shared/releases/lifecycle';
import type { Arch } from '@cairn/shared/version/arch';
import { compareMinors, minorOf, parseMinor } from '@cairn/shared/version/minor';
import { compareVersions, parseVersion } from '@cairn/shared/version/release-version';
import type { VersionAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { countsInWords } from '../lanes/model.ts';
import type { UrlState } from '../state/url-state.ts';
import { CopyButton, ExternalLink, Pill, PageLink } from '../ui/controls.tsx';
import { Loaded } from '../ui/lazy.tsx';
import { shortDigest } from '../ui/text.ts';

export function VersionDetails({ version, arch }: { readonly version: string; readonly arch: Arch }) {
  const resource = useJson<VersionAnswer>(`/v1/versions/${encodeURIComponent(version)}?arch=${arch}`);
  return (
    <Loaded resource={resource} what={`details of ${version}`}>
      {(answer) => <Details answer={answer} />}
    </Loaded>
  );
}

function Details({ answer }: { readonly answer: VersionAnswer }) {
  const { version, withdrawn, excluded, errata, support, releases, updates } = answer;
  const own = releases.filter(({ arch }) => arch === updates.arch);
  const channels = [...new Set(own.flatMap((release) => release.channels))];
  const gone = new Set(own.flatMap(({ withdrawnFrom }) => withdrawnFrom));
  const counts = (listed: VersionAnswer['updates']['from']) => {
    const recommended = listed.filter(({ risks }) => risks.length === 0).length;
    return { recommended, conditional: listed.length - recommended };
  };
  return (
    <div class="stack releases-details">
      {withdrawn && (
        <p>
          <Pill tone="block">Withdrawn</Pill> No followed channel lists it any longer.
        </p>
      )}
      {excluded && (
        <p>
          <Pill tone="block">Excluded</Pill> The configuration excludes it, so no path leads to it.
        </p>
      )}
      <dl class="releases-facts">
        {updates.channel !== null && (
          <>
            <dt>Updates in {updates.channel}</dt>
            <dd>
              {countsInWords(counts(updates.from), 'in')}, {countsInWords(counts(updates.to), 'out')}
            </dd>
          </>
        )}
        <dt>Followed channels on {updates.arch}</dt>
        <dd class="row">
          {channels.length === 0 && 'None. The configuration lists this release itself.'}
          {channels.map((channel) => (
            <ChannelLink key={channel} channel={channel} version={version} isWithdrawn={gone.has(channel)} />
          ))}
        </dd>
        <dt>Support of {support.minor}</dt>
        <dd>{supportInWords(support as MinorSupport)}</dd>
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
            {releases.map((release) => (
              <Image key={`${release.arch} ${release.digest}`} version={version} release={release} />
            ))}
          </ul>
        </dd>
      </dl>
    </div>
  );
}

interface ChannelLinkProps {
  readonly channel: string;
  readonly version: string;
  readonly isWithdrawn: boolean;
}

function ChannelLink({ channel, version, isWithdrawn }: ChannelLinkProps) {
  return (
    <span>
      <PageLink class="mono" to="channels" patch={{ open: channel, find: '', sel: version }}>
        {channel}
      </PageLink>
      {isWithdrawn && ' (withdrawn)'}
    </span>
  );
}

interface ImageProps {
  readonly version: string;
  readonly release: VersionAnswer['releases'][number];
}

function Image({ version, release: { arch, payload, digest, url } }: ImageProps) {
  return (
    <li class="row">
      <span class="releases-arch">{arch}</span>
      {digest === null ? (
        <code>{url}</code>
      ) : (
        <>
          <code title={digest}>{shortDigest(digest)}</code>
          <CopyButton kind="plain" text={() => digest} what={`the digest of ${version} on ${arch}`}>
            Copy digest
          </CopyButton>
        </>
      )}
      <CopyButton kind="plain" text={() => payload} what={`the image of ${version} on ${arch}`}>
        Copy image
      </CopyButton>
    </li>
  );
}

/** Resets the previous plan. */
const AFRESH = { cluster: '', alt: 0, sel: '', open: '', find: '', channel: '' } as const;

/** Keeps the target if it is newer. */
export function planFrom(version: string, { to }: Pick<UrlState, 'to'>): Partial<UrlState> {
  return { ...AFRESH, from: version, ...(!isNewer(to, version) && { to: '' }) };
}

/** Keeps the start if it is older. */
export function planTo(version: string, { from }: Pick<UrlState, 'from'>): Partial<UrlState> {
  return { ...AFRESH, to: version, ...(!isNewer(version, from) && { from: '' }) };
}

/** Accepts a version or a minor as target; a version's own minor counts as newer. */
function isNewer(target: string, than: string): boolean {
  const start = parseVersion(than);
  if (start === null) return true;
  const minor = parseMinor(target);
  if (minor !== null) return compareMinors(minor, minorOf(start)) >= 0;
  const version = parseVersion(target);
  return version === null || compareVersions(version, start) > 0;
}
