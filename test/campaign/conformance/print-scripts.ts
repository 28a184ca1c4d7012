import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planScript } from '@cairn/shared/plan/run-sheet/script';
import { REPORTS } from '../../helpers/plan/report-cases.ts';

const [folder = '.'] = process.argv.slice(2);
for (const [name, plan] of Object.entries(REPORTS)) {
  writeFileSync(join(folder, `${name}.sh`), planScript(plan));
}
