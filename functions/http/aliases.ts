import * as z from 'zod/mini';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

interface Alias {
  readonly name: string;
  /** True if the alias is the documented name and the code's name is deprecated. */
  readonly isPreferred: boolean;
}

/** Aliases by the name that the code uses. */
type Aliases<Fields> = { readonly [Name in keyof Fields]?: Alias };

/** Alias under which a field was sent. */
const sentNames = new WeakMap<object, Readonly<Record<string, string>>>();

/** Names that errors do not list. */
const unlisted = new WeakSet<z.core.$ZodType>();

/**
 * Accepts fields under other names. The parsed object has only the names of `shape`; different values under two names
 * are rejected.
 */
export function aliasedObject<Fields extends Shape>(
  shape: Fields,
  aliases: Aliases<Fields>,
  make: (fields: Fields) => z.ZodMiniObject<Fields> = z.strictObject,
): z.ZodMiniObject<Fields> {
  const fields: Record<string, z.ZodMiniType> = {};
  for (const [name, field] of Object.entries(shape)) {
    const alias = aliases[name];
    if (!alias) fields[name] = field;
    else if (alias.isPreferred) {
      // Wrapped, because one schema must not stand for both names.
      fields[alias.name] = z.optional(field);
      fields[name] = otherName(field, { description: `Same as \`${alias.name}\``, deprecated: true });
    } else {
      fields[name] = field;
      fields[alias.name] = otherName(field, { description: `Same as \`${name}\`` });
    }
  }
  const pairs = Object.entries(aliases).map(([name, alias]) => [name, alias!.name] as const);
  return make(fields as Fields).check(useOneName(pairs));
}

/** Accepts the former snake_case names of camelCase body fields. */
export function bodyObject<Fields extends Shape>(
  shape: Fields,
  aliases: Aliases<Fields> = {},
  make?: (fields: Fields) => z.ZodMiniObject<Fields>,
): z.ZodMiniObject<Fields> {
  const former = Object.keys(shape).filter((name) => name.includes('_'));
  const inCamelCase = former.map((name) => [name, { name: camelCase(name), isPreferred: true }]);
  return aliasedObject(shape, { ...Object.fromEntries(inCamelCase), ...aliases }, make);
}

/** Names that differ by more than their case style. */
const RENAMED: Readonly<Record<string, string>> = { accept_risk: 'acceptRisks' };

function camelCase(name: string): string {
  return RENAMED[name] ?? name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** Name of a field as sent, for error texts. */
export function sentName(fields: object, name: string): string {
  return sentNames.get(fields)?.[name] ?? name;
}

export function listedNames(shape: Readonly<Record<string, z.core.$ZodType>>): string[] {
  return Object.keys(shape).filter((name) => !unlisted.has(shape[name]!));
}

function otherName(
  field: z.ZodMiniType,
  meta: { readonly description: string; readonly deprecated?: true },
): z.ZodMiniType {
  const made = z.optional(field).check(z.meta(meta));
  unlisted.add(made);
  return made;
}

function useOneName<Value extends object>(pairs: readonly (readonly [name: string, alias: string])[]) {
  return z.check<Value>(({ value, issues }) => {
    const fields = value as Record<string, unknown>;
    const sent: Record<string, string> = {};
    for (const [name, alias] of pairs) {
      const { [name]: own, [alias]: other } = fields;
      if (other === undefined) continue;
      if (own !== undefined && JSON.stringify(own) !== JSON.stringify(other)) {
        const message = `is the same field as ${name}, but their values differ; send one of them`;
        issues.push({ code: 'custom', message, path: [alias], input: value });
      }
      if (own === undefined) sent[name] = alias;
      fields[name] = other;
      delete fields[alias];
    }
    sentNames.set(value, sent);
  });
}
