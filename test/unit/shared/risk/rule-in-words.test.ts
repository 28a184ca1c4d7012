import { evidenceInWords, ruleInWords } from '@cairn/shared/risk/rule-in-words';
import { describe, expect, it } from 'vitest';

const either = (exposed: string, all: string, by = ''): string =>
  `group${by}(${exposed})\nor\n0 * group${by}(${all})`;
const PLATFORM = 'cluster_infrastructure_provider';
const COUNTS = 'apiserver_storage_objects';

describe('ruleInWords', () => {
  it.each([
    ['the platform is Azure', either(`${PLATFORM}{_id="",type="Azure"}`, `${PLATFORM}{_id=""}`)],
    [
      'the platform is OpenStack',
      `group by (_id, type) (${PLATFORM}{_id="",type="OpenStack"})\nor on (_id)\n0 * group by (_id, type) (${PLATFORM}{_id=""})\n`,
    ],
    [
      'the platform is None or BareMetal',
      `topk by (_id) (1,\n  ${either(`${PLATFORM}{_id="",type=~"None|BareMetal"}`, `${PLATFORM}{_id="",type!~"None|BareMetal"}`, ' by (_id, type) ')}\n)`,
    ],
    [
      'operator sriov-network-operator is installed',
      either('csv_succeeded{_id="", name=~"sriov-network-operator[.].*"}', 'csv_count{_id=""}'),
    ],
    [
      'the control plane is hosted',
      either(
        'cluster_installer{_id="",invoker="hypershift"}',
        'cluster_installer{_id=""}',
        ' by (_id, invoker) ',
      ),
    ],
    [
      'the control plane is not hosted',
      '0 * group by (invoker) (cluster_installer{_id="",invoker="hypershift"})\nor on ()\ngroup by (invoker) (cluster_installer{_id=""})',
    ],
    [
      'it has imagedigestmirrorsets or imagecontentsourcepolicies',
      `topk(1,\n  group by (_id, resource) (max_over_time(${COUNTS}{_id="",resource=~"imagedigestmirrorsets[.]config[.]openshift[.]io|imagecontentsourcepolicies[.]operator[.]openshift[.]io"}[1h]) > 0))\nor on (_id)\n0 * group by (_id) (max_over_time(${COUNTS}{_id=""}[1h]))`,
    ],
    [
      'it was installed with 4.13 or earlier',
      'topk(1,\n  label_replace(group by (version) (cluster_version{_id="",type="initial",version=~"4[.]([0-9]|1[0-3])[.].*"}),"born_by_4_13", "yes, so possibly", "", "")\n  or\n  label_replace(0 * group by (version) (cluster_version{_id="",type="initial",version!~"4[.]([0-9]|1[0-3])[.].*"}),"born_by_4_13", "no", "", "")\n)',
    ],
    [
      'it was installed with 4.10 or earlier',
      either(
        'cluster_version{type="initial",version=~"4[.]([0-9]|10)[.].*"}',
        'cluster_version{type="initial"}',
      ),
    ],
    ['capability Console is enabled', 'max(cluster_version_capability{name="Console"})'],
    ['capability Console is not enabled', '1 - max(cluster_version_capability{name="Console"})'],
    [
      'a node runs RHEL',
      either('kube_node_labels{_id="",label_node_openshift_io_os_id="rhel"}', 'kube_node_labels{_id=""}'),
    ],
    [
      'it is Azure Red Hat OpenShift',
      `( ${either('cluster_operator_conditions{name="aro"}', 'cluster_operator_conditions')} )`,
    ],
  ])('are: %s', (words, query) => {
    expect(ruleInWords(query)).toBe(words);
  });

  const azure = either(`${PLATFORM}{type="Azure"}`, PLATFORM);
  it.each([
    [
      'two conditions',
      `(${azure}) * on () group_left (secret) (${either('kube_secret_info', 'kube_secret_info')})`,
    ],
    ['a further condition behind it', `${azure} and on () group(csv_count)`],
    ['a third case', `${azure} or 0 * group(csv_count)`],
    ['another case before it', `-1 * group(x) or ${azure}`],
    ['a rule for all that it does not name', either(`${PLATFORM}{type!="Azure"}`, PLATFORM)],
    ['a value that nothing has', either(`${PLATFORM}{type="AWS|GCP"}`, PLATFORM)],
    ['a pattern that is no list', either(`${PLATFORM}{type=~"Azure.+"}`, PLATFORM)],
    ['a metric without words', either('ceph_health_status{x="1"}', 'cluster_version')],
    [
      'a version other than the first',
      either('cluster_version{type="current",version=~"4[.][0-9][.].*"}', 'cluster_version'),
    ],
    [
      'a negation of another metric',
      '0 * group(cluster_installer{invoker="hypershift"}) or group(cluster_version)',
    ],
    [
      'a count above another number',
      `group(max_over_time(${COUNTS}{resource="nodes"}[1h]) > 120) or 0 * group(${COUNTS})`,
    ],
    ['text that is no query', 'group('],
    ['nothing', ''],
  ])('has no words for %s', (_what, query) => {
    expect(ruleInWords(query)).toBeNull();
  });

  it('ends for huge queries', () => {
    const parentheses = `${'('.repeat(8000)}x${')'.repeat(8000)}`;
    for (const query of [
      parentheses,
      `group(${'label_replace('.repeat(2000)}`,
      `topk(1, ${'a '.repeat(8000)}`,
    ]) {
      expect(ruleInWords(query)).toBeNull();
    }
  });
});

describe('evidenceInWords', () => {
  it.each([
    [`${PLATFORM}{type="AWS"} 1`, 'the platform is AWS'],
    [`${PLATFORM}{type="Azure"} → none`, 'the platform is not Azure'],
    [
      'csv_succeeded{name=~"sriov-network-operator[.].*"} → none',
      'operator sriov-network-operator is not installed',
    ],
    ['csv_succeeded{name="sriov.v4.15.0",version="4.15.0"} 0', 'operator sriov.v4.15.0 is installed'],
    [`${COUNTS}{resource="imagedigestmirrorsets.config.openshift.io"} 2`, 'it has 2 imagedigestmirrorsets'],
    ['cluster_version{type="initial",version="4.12.3"} 1700000000', 'it was installed with 4.12.3'],
    ['cluster_version_capability{name="Console"} 0', 'capability Console is not enabled'],
    ['Always', 'it applies to every cluster'],
    ['Recommended=True (X)', null],
    ['ceph_health_status 0', null],
  ])('of %s is %s', (evidence, words) => {
    expect(evidenceInWords(evidence)).toBe(words);
  });
});
