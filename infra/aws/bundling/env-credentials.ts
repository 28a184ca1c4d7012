// Alias of @aws-sdk/credential-provider-node in Lambda bundles.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
