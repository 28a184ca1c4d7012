import { ACCOUNT, REGION } from '../gateway/deployed-api.ts';
import { arnIn } from './asked-request.ts';

type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
type Intrinsic =
  | { readonly Ref: string }
  | { readonly 'Fn::GetAtt': readonly [string, string] }
  | { readonly 'Fn::Join': readonly [string, readonly unknown[]] };

/** Resolves CloudFormation references. `names` gives some resources a name by logical ID. */
export class TemplateNames {
  readonly #resources: Resources;
  readonly #given: ReadonlyMap<string, string>;

  constructor(resources: Resources, names: Readonly<Record<string, string>>) {
    this.#resources = resources;
    this.#given = new Map([
      ['AWS::Partition', 'aws'],
      ['AWS::Region', REGION],
      ['AWS::AccountId', ACCOUNT],
      ['AWS::StackName', 'Cairn'],
      ...Object.entries(names),
    ]);
  }

  /** Resolves nested values too. */
  readonly resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(this.resolve);
    if (typeof value !== 'object' || value === null) return value;
    if (isIntrinsic(value)) return this.#text(value);
    return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, this.resolve(below)]));
  };

  readonly arnOf = (logicalId: string): string => {
    const { Type: type } = this.#resourceOf(logicalId);
    const arn = ARNS[type];
    if (!arn) throw new Error(`the ARN of ${type} is not known here`);
    return arn(this.#nameOf(logicalId));
  };

  #text(value: unknown): string {
    if (typeof value === 'string') return value;
    if (!isIntrinsic(value)) throw new Error(`a reference that is not understood: ${JSON.stringify(value)}`);
    if ('Ref' in value) return this.#nameOf(value.Ref);
    if ('Fn::Join' in value) {
      const [separator, parts] = value['Fn::Join'];
      return parts.map((part) => this.#text(part)).join(separator);
    }
    const [logicalId, attribute] = value['Fn::GetAtt'];
    return attribute === 'Arn' ? this.arnOf(logicalId) : this.#nameOf(logicalId);
  }

  #resourceOf(logicalId: string): Resources[string] {
    const resource = this.#resources[logicalId];
    if (!resource) throw new Error(`the template has no ${logicalId}`);
    return resource;
  }

  /** Name in the template, otherwise the logical ID. */
  #nameOf(logicalId: string): string {
    const given = this.#given.get(logicalId);
    if (given !== undefined) return given;
    const { Name } = (this.#resourceOf(logicalId).Properties ?? {}) as { readonly Name?: unknown };
    return Name === undefined ? logicalId : this.#text(Name);
  }
}

const ARNS: Readonly<Record<string, (name: string) => string>> = {
  'AWS::DynamoDB::Table': (name) => arnIn('dynamodb', `table/${name}`),
  'AWS::Events::EventBus': (name) => arnIn('events', `event-bus/${name}`),
  'AWS::IAM::Role': (name) => `arn:aws:iam::${ACCOUNT}:role/${name}`,
  'AWS::Lambda::Function': (name) => arnIn('lambda', `function:${name}`),
  'AWS::Logs::LogGroup': (name) => arnIn('logs', `log-group:${name}:*`),
  'AWS::S3::Bucket': (name) => `arn:aws:s3:::${name}`,
  'AWS::SQS::Queue': (name) => arnIn('sqs', name),
};

function isIntrinsic(value: unknown): value is Intrinsic {
  if (typeof value !== 'object' || value === null) return false;
  return 'Ref' in value || Object.keys(value).some((key) => key.startsWith('Fn::'));
}
