import type { ComponentChildren } from 'preact';

/** A link that came with data: followed only to https, and by a site that learns nothing of this page. */
export function ExternalLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}) {
  const isSafe = URL.parse(href)?.protocol === 'https:';
  if (!isSafe) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
