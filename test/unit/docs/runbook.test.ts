import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matchPath } from '../../../functions/http/match-path.ts';
import { type Route } from '../../../functions/http/route.ts';
import { routes } from '../../../functions/routes.ts';
import { METRIC } from '../../../functions/runtime/names.ts';
import { SWITCH_ALIASES, SWITCH_NAMES } from '../../../functions/switches/store.ts';
import { ENTRY_POINTS } from '../../../infra/aws/bundling/options.ts';
import { alarmsOf, templateWithEveryAlarm } from '../../helpers/template/alarms.ts';

const docs = new URL('../../../docs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8');
const runbook = read('runbook.md');

const template = await templateWithEveryAlarm();
const alarms = alarmsOf(template);
const alarmNames = alarms.map(({ name }) => name);

interface Article {
  readonly title: string;
  readonly text: string;
}

/** The articles below a heading of the second level. */
function articlesOf(section: string): Article[] {
  const [, rest = ''] = runbook.split(`\n## ${section}\n`);
  const [body = ''] = rest.split(/\n## /);
  return body
    .split(/\n### /)
    .slice(1)
    .map((article) => {
      const [title = '', ...lines] = article.split('\n');
      return { title, text: lines.join('\n') };
    });
}

describe('the articles of alarms', () => {
  const articles = articlesOf('Alarms');

  it('are one for each alarm, and nothing else claims to be one', () => {
    expect(articles.map(({ title }) => title).toSorted()).toEqual(alarmNames.toSorted());
  });

  it.each(articles)(
    '$title says what it means, what it does, where to look, how to fix it and when it is',
    (article) => {
      const parts = [...article.text.matchAll(/^\*\*(\w+)(?: \((\w+)\))?\.\*\*/gm)];
      expect(parts.map(([, part]) => part)).toEqual(['Meaning', 'Impact', 'Look', 'Fix', 'Verify']);
      const { AlarmDescription } = alarms.find(({ name }) => name === article.title)!.properties;
      expect(AlarmDescription).toContain(`Severity: ${parts[0]![2]}.`);
      // A page.
      expect(article.text.split('\n').length).toBeLessThanOrEqual(45);
      for (const part of article.text.split(/^\*\*\w+(?: \(\w+\))?\.\*\*/m).slice(1)) {
        expect(part.trim().length).toBeGreaterThan(10);
      }
    },
  );

  it('are where the descriptions of the alarms say', () => {
    const anchors = anchorsOf(runbook);
    for (const { properties } of alarms) {
      const [, anchor] = /docs\/runbook\.md#([\w-]+)$/.exec(properties.AlarmDescription) ?? [];
      expect(anchors).toContain(anchor);
    }
  });
});

it('every procedure is there that has to be known before it is needed', () => {
  expect(articlesOf('Procedures').map(({ title }) => title)).toEqual([
    'Accept or refuse a held graph',
    'Undo a deletion',
    'Rotate access',
    'Add or retire a channel or a minor',
    'Stop everything',
    'Re-drive the queues',
    'Rebuild what is served',
    'Restore the table',
    'A hot key',
    'Upstream moved',
    'A bad release was deployed',
    'Region loss',
    'Suspected compromise',
    'Cost spike',
  ]);
});

describe('what the runbook names is there', () => {
  const commands = [...runbook.matchAll(/\bapi ("[^"]+"|[^\s`|)]+)( -X (\w+))?/g)];

  it('routes that its commands ask', () => {
    expect(commands.length).toBeGreaterThan(40);
    for (const [command, quoted, , method = 'GET'] of commands) {
      const path = quoted!.replaceAll('"', '').split('?')[0]!.replaceAll(/\$\w+/g, 'x');
      expect(findRoute(method, path), command).toBeDefined();
    }
  });

  it('routes that its text names', () => {
    const named = [...runbook.matchAll(/`(GET|PUT|POST|DELETE) (\/[^\s`?]*)/g)];
    expect(named.length).toBeGreaterThan(1);
    for (const [text, method, path] of named) expect(findRoute(method!, path!), text).toBeDefined();
  });

  it('switches', () => {
    const switched = [...runbook.matchAll(/\/v1\/switches\/(\w+)/g)].map(([, name]) => name);
    expect(switched.length).toBeGreaterThan(1);
    expect(switched.filter((name) => !SWITCH_NAMES.some((known) => known === name))).toEqual([]);
    expect(runbook).toContain(
      `for name in ${SWITCH_NAMES.map((name) => SWITCH_ALIASES[name] ?? name).join(' ')}; do`,
    );
  });

  it('outputs of the stack', () => {
    const asked = [...runbook.matchAll(/\$\(out (\w+)\)/g)].map(([, name]) => name!);
    const named = [...runbook.matchAll(/`([A-Z]\w+(?:Arn|Url|Name))`/g)].map(([, name]) => name!);
    expect(asked.length).toBeGreaterThan(4);
    expect(Object.keys(template.outputs)).toEqual(expect.arrayContaining([...asked, ...named]));
  });

  it('functions and logs, one for each name', () => {
    const count = (type: string, name: string) =>
      template.ofType(`AWS::${type}`).filter(({ id }) => id.includes(name)).length;
    const functions = [...runbook.matchAll(/(?:\$\(fn|`?logs) ([A-Z]\w+)/g)].map(([, name]) => name!);
    expect(new Set(functions)).toEqual(
      new Set(['Query', 'Manage', 'SyncReleases', 'Watch', 'FollowFleet', 'RunPruner']),
    );
    for (const name of functions) expect([name, count('Lambda::Function', name)]).toEqual([name, 1]);
    expect(count('Logs::LogGroup', 'AccessLog')).toBe(1);
  });

  it('every job, where it stops the functions themselves', () => {
    const serving = new Set<string>(routes.map(({ lambda }) => lambda));
    const jobs = Object.entries(ENTRY_POINTS).filter(([name]) => !serving.has(name));
    const [, named = ''] =
      /^for name in (.+); do\n +aws lambda put-function-concurrency/m.exec(runbook) ?? [];
    const spelled = named.split(' ').map((name) => name.replaceAll(/\B[A-Z]/g, '-$&').toLowerCase());
    expect(spelled.toSorted()).toEqual(jobs.map(([name]) => name).toSorted());
  });

  it('fields of the access log that it asks for', () => {
    const [stage] = template.ofType('AWS::ApiGatewayV2::Stage');
    const fields = Object.keys(JSON.parse(stage!.properties.AccessLogSettings.Format) as object);
    expect(fields).toEqual(
      expect.arrayContaining(['latencyMs', 'routeKey', 'status', 'sourceIp', 'authorizerError']),
    );
  });
});

describe('the pages', () => {
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));

  it.each(pages)('%s names only alarms that there are', (page) => {
    const areas = [...new Set(alarmNames.map((name) => name.split('-')[0]!)), 'pruner'];
    const named = [...read(page).matchAll(/\bCairn-([a-z]+)-[a-z0-9-]+/g)]
      .filter(([, area]) => areas.includes(area!))
      .map(([name]) => name.slice('Cairn-'.length));
    expect(named.filter((name) => !alarmNames.includes(name))).toEqual([]);
  });

  it.each(['runbook.md', 'metrics.md'])('%s leads to places that are there', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#:]*)(?:#([^)]*))?\)/g)];
    expect(links.length).toBeGreaterThan(1);
    const lost = links.filter(([, file, anchor]) => {
      const target = file === '' ? page : file!;
      if (!pages.includes(target)) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    expect(lost.map(([link]) => link)).toEqual([]);
  });
});

it('every metric is documented, and every documented metric is emitted', () => {
  const rows = [...read('metrics.md').matchAll(/^\| (`.*?) +\|/gm)].map(([, cell]) => cell!);
  const told = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  const { namespace: _namespace, stackDimension: _dimension, ...metrics } = METRIC;
  expect(told.toSorted()).toEqual(Object.values(metrics).toSorted());
});

function findRoute(method: string, path: string): Route | undefined {
  const { route } = matchPath(routes, path).find(({ route: { method: its } }) => its === method) ?? {};
  return route;
}

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
