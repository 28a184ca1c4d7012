/** `$1`, `${1}` and `$$` as Go expands them: a name is as long as it can be, so that `$1x` is the group `1x`. */
export function expandTemplate(template: string, groups: readonly (string | undefined)[]): string {
  return template.replaceAll(
    /\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu,
    (_all, dollar?: string, braced?: string, bare?: string) => {
      if (dollar !== undefined) return dollar;
      const name = braced ?? bare ?? '';
      // There are no named groups, and no numbers that begin with 0.
      return /^(0|[1-9]\d{0,7})$/.test(name) ? (groups[Number(name)] ?? '') : '';
    },
  );
}
