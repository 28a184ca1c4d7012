/** Where the graph and the plan will be. */
export function PlanSkeleton() {
  return (
    <div class="page plan-grid" aria-busy="true" aria-label="Loading">
      <div class="card stack skeleton-lanes">
        <div class="skeleton" />
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
      <div class="card stack plan-panel">
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
    </div>
  );
}
