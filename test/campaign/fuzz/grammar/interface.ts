import openapi from '../../../../functions/openapi/openapi.json' with { type: 'json' };

/** As much of JSON Schema as the interface document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** By media type. */
  readonly bodies: ReadonlyMap<string, Schema>;
  /** Media types of answers by status. */
  readonly responses: ReadonlyMap<number, readonly string[]>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** Every operation of the interface document, read once. */
export const OPERATIONS: readonly Operation[] = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, DocumentedOperation>).map(
    ([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      bodies: new Map(Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema])),
      responses: new Map(
        Object.entries(responses).map(([status, { content = {} }]) => [Number(status), Object.keys(content)]),
      ),
    }),
  ),
);

const SCHEMAS = openapi.components.schemas as unknown as Readonly<Record<string, Schema>>;

/** The schema that a reference means. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split('/').at(-1)!;
  const found = SCHEMAS[name];
  if (!found) throw new Error(`the interface document has no schema ${name}`);
  return found;
}
