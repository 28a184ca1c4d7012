export interface TemplateFacts {
  readonly stackName: string;
  readonly template: string;
  readonly archives: readonly string[];
}

/** What to do with the folder, in commands to paste. */
export function readme({ stackName, template, archives }: TemplateFacts): string {
  return `# ${stackName}, without CDK

\`${template}\` makes the whole stack. These files are the code of its functions:

${archives.map((file) => `- \`${file}\``).join('\n')}

Choose a bucket of yours in the region of the stack, and run this in this folder:

\`\`\`
BUCKET=my-bucket
PREFIX=cairn/

aws s3 cp . "s3://$BUCKET/$PREFIX" --recursive --exclude '*' --include '*.zip'
aws cloudformation deploy --stack-name ${stackName} --template-file ${template} \\
    --s3-bucket "$BUCKET" --s3-prefix "\${PREFIX%/}" --capabilities CAPABILITY_NAMED_IAM \\
    --parameter-overrides "CodeBucket=$BUCKET" "CodePrefix=$PREFIX"
aws cloudformation describe-stacks --stack-name ${stackName} --query 'Stacks[0].Outputs' --output table
\`\`\`

The output \`TryIt\` is a first request. To update, make the template again and run the same commands. Keep the folder of
the version before: the same commands, run there, bring it back. Any other name of a stack will do, up to 40 characters:
whatever has a name begins with it.
`;
}
