import { useState } from 'preact/hooks';
import { areShortcutsOn, switchShortcuts } from '../ui/announce.ts';
import { Check } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['/'], 'Search for a version or a cluster'],
  [['←', '→'], 'Release before or after, in the graph'],
  [['↑', '↓'], 'The same patch of the next minor'],
  [['Home', 'End'], 'First or last release of the minor'],
  [['PgUp', 'PgDn'], 'Ten patches on or back'],
  [['Enter'], 'Select the release'],
  [['f', 't'], 'Start from it, or go to it'],
  [['i'], 'Updates out of it or into it'],
  [['[', ']'], 'Hop before or after'],
  [['c'], 'Copy the first ImageSetConfiguration'],
  [['p'], 'Print the plan'],
  [['j', 'k'], 'Next or former cluster, in Updates'],
  [['w'], 'Wall mode of Updates'],
  [['Esc'], 'Clear the selection'],
  [['?'], 'This list'],
];

export function Help({ onClose }: { readonly onClose: () => void }) {
  const [areOn, setOn] = useState(areShortcutsOn);
  return (
    <Dialog title="Help" onClose={onClose}>
      <p>
        Give the version that a cluster runs and where it shall go. The plan says every release on the way,
        what must be mirrored, and what stands against it. The address of the page is the plan: send it to
        somebody.
      </p>
      <h3>Keyboard</h3>
      <dl class="keys">
        {KEYS.map(([keys, does]) => (
          <>
            <dt>
              {keys.map((key) => (
                <>
                  <kbd>{key}</kbd>{' '}
                </>
              ))}
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <Check
        checked={areOn}
        onChange={(on) => {
          switchShortcuts(on);
          setOn(on);
        }}
      >
        Letters and signs work as shortcuts
      </Check>
      <p>
        Everything here is served as JSON too: <a href="/openapi.json">openapi.json</a> describes it.
      </p>
    </Dialog>
  );
}
