import { counted } from '../lanes/words.ts';
import { sentence } from '../ui/words.ts';
import { ExternalLink } from '../ui/external-link.tsx';
import type { RiskOverview } from './risk-ranges.ts';

/** What a risk says of itself. */
export function RiskText({ risk: { name, variants, updates } }: { readonly risk: RiskOverview }) {
  const { message, url } = variants[0]!;
  return (
    <div class="releases-risk-text">
      <div class="row">
        <h3>{name}</h3>
        <span class="small muted">{counted(updates, 'update')}</span>
      </div>
      <p>
        <span>{sentence(message.trim())}</span>{' '}
        <ExternalLink href={url}>
          Read more<span class="visually-hidden"> on {name}</span>
        </ExternalLink>
      </p>
    </div>
  );
}
