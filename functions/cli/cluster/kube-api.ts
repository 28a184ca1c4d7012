import { queryName } from './cluster-query.ts';
import type { ClusterSource } from './oc.ts';
import { notKnown } from '../failure.ts';
import type { Machine } from '../machine.ts';
import { KUBE_LIMITS, kubeApi, type KubeLimits } from './kubernetes-kube-api.ts';
import { ListExpired, NotShown, pagesOf } from './list-pages.ts';
import { serviceAccount } from './service-account.ts';

/** The cluster that this runs in, read with the service account of the pod. */
export async function inCluster(machine: Machine, limits: KubeLimits = KUBE_LIMITS): Promise<ClusterSource> {
  const ask = kubeApi(await serviceAccount(machine), machine, limits);
  return {
    async read(query, take) {
      for (let beginning = 1; ; beginning++) {
        try {
          return await take(pagesOf(ask, query, limits));
        } catch (error) {
          if (!(error instanceof NotShown)) throw error;
          if (error instanceof ListExpired && beginning < limits.beginnings) continue;
          const told = `${queryName(query)}: ${error.message}`;
          if (query.isOptional !== true) throw notKnown(told);
          machine.err.write(`${told}; goes on without it\n`);
          return null;
        }
      }
    },
  };
}
