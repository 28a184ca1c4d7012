/**
 * What every client of AWS is told. Time-outs are far below a Lambda's own, so that a hanging call is tried again rather
 * than ending the run.
 */
export const CLIENT_SETTINGS = {
  // Said here, the SDK does not look for them in profile files, which a Lambda does not have.
  retryMode: 'standard',
  defaultsMode: 'standard',
  useFipsEndpoint: false,
  useDualstackEndpoint: false,
} as const;

/** A new one each time, because the SDK marks the object it is given. */
export const requestHandler = () => ({
  connectionTimeout: 1000,
  requestTimeout: 5000,
  throwOnRequestTimeout: true,
});
