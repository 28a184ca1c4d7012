import type { ReleaseNode } from '@cairn/shared/graph/graph';
import type { JSX } from 'preact';
import { ExternalLink } from '../ui/external-link.tsx';

/** Where a release is described, by the name of its erratum; nothing when it has no address. */
export function ErrataLink({ node }: { readonly node: ReleaseNode }): JSX.Element | null {
  const address = node.metadata['url'];
  if (address === undefined || URL.parse(address)?.protocol !== 'https:') return null;
  const name = /[A-Z]{4}-\d{4}:\d+$/.exec(address)?.[0];
  return <ExternalLink href={address}>{name ?? 'Release notes'}</ExternalLink>;
}
