import { CopyButton } from './copy-button.tsx';

/** Something to run, with a button that copies it. */
export function Command({ command }: { readonly command: string }) {
  return (
    <div class="command">
      <code>{command}</code>
      <CopyButton kind="plain" text={() => command} what="the command">
        Copy<span class="visually-hidden"> the command</span>
      </CopyButton>
    </div>
  );
}
