/** What an administrator runs to acknowledge gates, one for each. */
export function acknowledgeCommands(gates: readonly { readonly key: string }[]): readonly string[] {
  return gates.map(
    ({ key }) => `oc -n openshift-config patch cm admin-acks --type=merge -p '{"data":{"${key}":"true"}}'`,
  );
}
