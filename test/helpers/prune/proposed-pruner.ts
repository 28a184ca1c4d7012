/** Copied from the proposal unchanged, with the typing mistake in its status. */
export const PROPOSED = `spec:
  schedule: "*/1 * * * *"
  suspend: false
  keepTagRevisions: 3
  keepYoungerThan: 60m
  resources: {}
  affinity: {}
  nodeSelector: {}
  tolerations: {}
  startingDeadlineSeconds: 60
  history:
    successfulJobsHistoryLimit: 3
    failedJobsHistoryLimit: 3
status:
  observedGeneration: 2
  conditions:
  - type: Available
    status: "True"
    lastTransitionTime: 2019-10-09T03:13:45
    reason: Ready
    message: "Periodic image pruner has been created."
  - type: Scheduled
    status: "True"
    lastTransitionTime: 2019-10-09T03:13:45
    reason: Scheduled
    message: "Image pruner job has been scheduled."
  - type: Failed
    staus: "False"
    lastTransitionTime: 2019-10-09T03:13:45
    reason: Succeeded
    message: "Most recent image pruning job succeeded."
`;
