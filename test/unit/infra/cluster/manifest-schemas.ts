import * as z from 'zod/mini';

/**
 * Of each kind what the manifests use of it, as Kubernetes has it: a field by any other name, or of another type, is
 * refused. `test/campaign/conformance/run-manifests.sh` holds them against the types of Kubernetes itself.
 */
const dnsName = z.string().check(z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/));
const labels = z.record(z.string(), z.string());
const metadata = z.strictObject({
  name: dnsName,
  namespace: z.optional(dnsName),
  labels: z.optional(labels),
});
const inCluster = z.strictObject({ name: dnsName, labels: z.optional(labels) });
const names = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));
const RBAC = 'rbac.authorization.k8s.io';
const rules = z
  .array(
    z.strictObject({
      apiGroups: z.array(z.string()).check(z.minLength(1)),
      resources: names,
      resourceNames: z.optional(names),
      verbs: z.array(z.enum(['get', 'list'])).check(z.minLength(1)),
    }),
  )
  .check(z.minLength(1));
const binding = (kind: 'Role' | 'ClusterRole') => ({
  roleRef: z.strictObject({ apiGroup: z.literal(RBAC), kind: z.literal(kind), name: dnsName }),
  subjects: z.array(z.strictObject({ kind: z.literal('ServiceAccount'), name: dnsName, namespace: dnsName })),
});
const seconds = z.int().check(z.positive());
const quantity = z.string().check(z.regex(/^\d+(m|Mi|Gi)?$/));
const amounts = z.strictObject({ cpu: z.optional(quantity), memory: z.optional(quantity) });
const source = z.strictObject({ name: dnsName, optional: z.optional(z.boolean()) });
const container = z.strictObject({
  name: dnsName,
  image: z.string(),
  args: z.array(z.string()),
  envFrom: z.array(
    z.union([z.strictObject({ configMapRef: source }), z.strictObject({ secretRef: source })]),
  ),
  terminationMessagePolicy: z.enum(['File', 'FallbackToLogsOnError']),
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.strictObject({ drop: z.array(z.string()) }),
  }),
});
const podSpec = z.strictObject({
  serviceAccountName: dnsName,
  automountServiceAccountToken: z.boolean(),
  restartPolicy: z.enum(['Never', 'OnFailure']),
  terminationGracePeriodSeconds: seconds,
  securityContext: z.strictObject({
    runAsNonRoot: z.boolean(),
    seccompProfile: z.strictObject({ type: z.enum(['RuntimeDefault', 'Unconfined', 'Localhost']) }),
  }),
  containers: z.array(container).check(z.minLength(1)),
});

const manifest = (apiVersion: string, kind: string, fields: Parameters<typeof z.strictObject>[0]) =>
  z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), ...fields });

const cronJobSpec = z.strictObject({
  schedule: z.string(),
  concurrencyPolicy: z.enum(['Allow', 'Forbid', 'Replace']),
  startingDeadlineSeconds: seconds,
  successfulJobsHistoryLimit: z.int(),
  failedJobsHistoryLimit: z.int(),
  jobTemplate: z.strictObject({
    spec: z.strictObject({
      backoffLimit: z.int(),
      activeDeadlineSeconds: seconds,
      template: z.strictObject({ spec: podSpec }),
    }),
  }),
});
const image = z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() });
const patch = z.strictObject({
  target: z.strictObject({ kind: z.string(), name: dnsName }),
  patch: z.string(),
});

export const MANIFESTS: Readonly<Record<string, z.ZodMiniObject>> = {
  Namespace: manifest('v1', 'Namespace', { metadata: inCluster }),
  ServiceAccount: manifest('v1', 'ServiceAccount', { metadata, automountServiceAccountToken: z.boolean() }),
  ConfigMap: manifest('v1', 'ConfigMap', {
    metadata,
    data: z.record(z.string().check(z.regex(/^[A-Z_]+$/)), z.string()),
  }),
  ClusterRole: manifest(`${RBAC}/v1`, 'ClusterRole', { metadata: inCluster, rules }),
  ClusterRoleBinding: manifest(`${RBAC}/v1`, 'ClusterRoleBinding', {
    metadata: inCluster,
    ...binding('ClusterRole'),
  }),
  Role: manifest(`${RBAC}/v1`, 'Role', { metadata, rules }),
  RoleBinding: manifest(`${RBAC}/v1`, 'RoleBinding', { metadata, ...binding('Role') }),
  CronJob: manifest('batch/v1', 'CronJob', { metadata, spec: cronJobSpec }),
  Kustomization: manifest('kustomize.config.k8s.io/v1beta1', 'Kustomization', {
    resources: names,
    components: z.optional(names),
    images: z.optional(z.array(image)),
    patches: z.optional(z.array(patch)),
  }),
  Component: manifest('kustomize.config.k8s.io/v1alpha1', 'Component', {
    resources: names,
    patches: z.optional(
      z.array(
        z.strictObject({ target: z.strictObject({ kind: z.string(), name: z.string() }), patch: z.string() }),
      ),
    ),
  }),
};
