import { forecastErrorRatio } from '../../../helpers/update-status/made-up-fleet.ts';
import { ratio, type Row } from '../row.ts';

const CLUSTERS = 300;
const GOAL = 0.8;

/** How far the forecast of an update is off, against the remaining time that `oc` would show. */
export const updateForecast: Row = {
  name: 'forecast of updates',
  run: async () => [
    ratio(
      `${CLUSTERS} updates: error of the forecast / of the remaining time`,
      forecastErrorRatio(CLUSTERS),
      GOAL,
    ),
  ],
};
