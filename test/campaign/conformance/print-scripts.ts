import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planScript } from '@cairn/shared/plan/run-sheet/script';
import { mirrorScript } from '../../../functions/cli/mirror-script.ts';
import { REPORTS } from '../../helpers/plan/report-cases.ts';

const [folder = '.'] = process.argv.slice(2);
writeFileSync(join(folder, 'mirror.sh'), mirrorScript(['01-4.15.51.yaml', '02-operators.yaml']));
for (const [name, plan] of Object.entries(REPORTS)) {
  writeFileSync(join(folder, `${name}.sh`), planScript(plan));
}
