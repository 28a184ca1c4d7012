import {
  CfnParameter,
  type DockerImageAssetLocation,
  type FileAssetLocation,
  type FileAssetSource,
  type ISynthesisSession,
  type Stack,
  StackSynthesizer,
} from 'aws-cdk-lib';

/** A folder with code, and the archive that the template wants of it. */
export interface CodeArchive {
  /** Relative to the output of the synthesis. */
  readonly folder: string;
  readonly file: string;
}

/** Leaves the place of the code to whoever deploys: no bucket, role or version of a CDK bootstrap is in the template. */
export class ZipSynthesizer extends StackSynthesizer {
  readonly #archives = new Map<string, CodeArchive>();
  #codeBucket = '';
  #codePrefix = '';

  get archives(): readonly CodeArchive[] {
    return [...this.#archives.values()];
  }

  override bind(stack: Stack): void {
    super.bind(stack);
    this.#codeBucket = new CfnParameter(stack, 'CodeBucket', {
      description: 'The bucket with the zip files, in the region of the stack',
      allowedPattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    }).valueAsString;
    this.#codePrefix = new CfnParameter(stack, 'CodePrefix', {
      description: 'What stands before the names of the zip files, such as cairn/; empty when nothing does',
      default: '',
      allowedPattern: '^$|^.*/$',
    }).valueAsString;
  }

  addFileAsset({ fileName, sourceHash, displayName }: FileAssetSource): FileAssetLocation {
    if (fileName === undefined) throw new Error(`the asset ${sourceHash} is made by a command`);
    const file = archiveName(displayName, sourceHash);
    this.#archives.set(file, { folder: fileName, file });
    const bucketName = this.#codeBucket;
    const objectKey = `${this.#codePrefix}${file}`;
    const s3ObjectUrl = `s3://${bucketName}/${objectKey}`;
    return { bucketName, objectKey, s3ObjectUrl, httpUrl: s3ObjectUrl };
  }

  addDockerImageAsset(): DockerImageAssetLocation {
    throw new Error('this stack has no images');
  }

  synthesize(session: ISynthesisSession): void {
    this.synthesizeTemplate(session);
    this.emitArtifact(session);
  }
}

/**
 * `Cairn/Pruning/RunPruner/Code` → `run-pruner-0123456789abcdef.zip`. CloudFormation brings new code to a function only
 * when its name is new.
 */
function archiveName(displayName: string | undefined, hash: string): string {
  const construct = displayName?.split('/').at(-2) ?? 'code';
  const words = construct.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return `${words}-${hash.slice(0, 16)}.zip`;
}
