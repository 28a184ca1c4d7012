/** A finding with what to do about it. */
export interface FindingBlock {
  readonly kind: 'finding';
  readonly effect: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly advice: readonly string[];
  readonly commands: readonly string[];
  readonly url: string | null;
}

export interface StepBlock {
  readonly text: string;
  readonly command: string | null;
}

/** A part of a text for people. Its words may come from anywhere: who writes them out has to make them safe. */
export type Block =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'subheading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | {
      readonly kind: 'table';
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | FindingBlock
  | { readonly kind: 'steps'; readonly steps: readonly StepBlock[] };
