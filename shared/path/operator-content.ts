/** A package of a catalog that a cluster has installed. */
export interface OperatorPackage {
  readonly name: string;
  /** Those that the cluster follows, in order; none where that is not known. */
  readonly channels: readonly string[];
}

/** What to mirror of a catalog, for a minor that the cluster passes. */
export interface OperatorCatalog {
  /** `4.16` */
  readonly minor: string;
  /** `registry.redhat.io/redhat/redhat-operator-index:v4.16`; null for a catalog of one's own, which only its owner knows. */
  readonly catalog: string | null;
  /** The CatalogSources that the packages come from, `openshift-marketplace/redhat-operators`; none where that is not known. */
  readonly sources: readonly string[];
  /** By name. */
  readonly packages: readonly OperatorPackage[];
}

/** What a cluster needs of operators on its way, beside the releases. */
export interface OperatorContent {
  /** By minor, then by image, those without one last; null when nothing is known of the operators. */
  readonly catalogs: readonly OperatorCatalog[] | null;
  /** What was left out, what is assumed, and what to do about it. */
  readonly notes: readonly string[];
}

/** Of a way without a cluster, or of one that says nothing of its operators. */
export const PLATFORM_ONLY: OperatorContent = {
  catalogs: null,
  notes: [
    'Platform content only: operators are not in it, as it is not known here which ones there are',
    'The plan of a cluster has them (POST /v1/upgrade-plans, cairn plan -o imageset) once it is sent what this prints: oc get subscriptions.operators.coreos.com -A -o json',
  ],
};
