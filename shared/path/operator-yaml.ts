import type { OperatorCatalog, OperatorPackage } from './operator-content.ts';

/**
 * The part `operators` of an ImageSetConfiguration, below `mirror`. A catalog whose image is not known stands there as a
 * comment, for its owner to fill in.
 */
export function operatorLines(catalogs: readonly OperatorCatalog[]): string[] {
  const entries = catalogs.flatMap(({ catalog, packages }) =>
    catalog === null ? [] : catalogLines(catalog, packages),
  );
  const toFillIn = catalogs.flatMap(({ catalog, minor, sources, packages }) =>
    catalog === null
      ? [
          `# The catalog of ${sources.join(', ')} for ${minor}:`,
          ...catalogLines('IMAGE', packages).map(asComment),
        ]
      : [],
  );
  if (entries.length === 0 && toFillIn.length === 0) return [];
  return [
    entries.length > 0 ? '  operators:' : '  # operators:',
    ...[...entries, ...toFillIn].map((line) => `    ${line}`),
  ];
}

function asComment(line: string): string {
  return `# ${line}`;
}

function catalogLines(catalog: string, packages: readonly OperatorPackage[]): string[] {
  return [`- catalog: ${catalog}`, '  packages:', ...packages.flatMap(packageLines)];
}

/** oc-mirror refuses to leave out the default channel of a package, unless another one is made the default. */
function packageLines({ name, channels }: OperatorPackage): string[] {
  return [
    `    - name: ${quoted(name)}`,
    ...(channels.length > 0 ? [`      defaultChannel: ${quoted(channels.at(-1)!)}`, '      channels:'] : []),
    ...channels.map((channel) => `        - name: ${quoted(channel)}`),
  ];
}

/** Without quotes the channel `4.10` is the number 4.1. */
function quoted(name: string): string {
  return JSON.stringify(name);
}
