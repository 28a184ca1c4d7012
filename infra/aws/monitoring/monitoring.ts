import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, type IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ScheduleSurroundings } from '../job-schedule.ts';
import type { AlarmSettings } from '../settings/settings.ts';
import type { TableReference } from '../storage.ts';
import {
  type AlarmDefinition,
  alarmName,
  AlarmTopics,
  describeAlarm,
  type Intervals,
} from './alarm-definition.ts';
import { apiAlarms, AuthFailures } from './api-alarms.ts';
import { ServiceDashboard } from './dashboard.ts';
import { fleetAlarms, pruneAlarms } from './fleet-alarms.ts';
import { jobAlarms, lambdaAlarms, type MonitoredFunctions } from './lambda-alarms.ts';
import { syncAlarms } from './sync-alarms.ts';
import { tableAlarms } from './table-alarms.ts';

interface MonitoringProps {
  readonly settings: AlarmSettings;
  readonly api: HttpApi;
  readonly apiUrl: string;
  readonly accessLog: LogGroup;
  readonly functions: MonitoredFunctions;
  readonly table: TableReference;
  readonly schedules: ScheduleSurroundings;
  readonly intervals: Intervals;
}

export class Monitoring extends Construct {
  readonly topics: AlarmTopics;
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    this.topics = new AlarmTopics(this, 'Topics', props.settings.email);
    const { metric: authFailures } = new AuthFailures(this, 'AuthFailures', props.accessLog);
    const alarms = listAlarms(props, authFailures).map((definition) => this.#alarm(definition));
    const dashboard = new ServiceDashboard(this, 'Dashboard', { ...props, alarms, authFailures });
    this.dashboardName = dashboard.name;
  }

  #alarm(definition: AlarmDefinition): IAlarm {
    const { name, severity, metric, condition, missing } = definition;
    const alarm = new Alarm(this, name, {
      alarmName: alarmName(definition),
      alarmDescription: describeAlarm(definition),
      metric,
      threshold: condition.threshold,
      comparisonOperator: condition.operator,
      evaluationPeriods: condition.periods,
      datapointsToAlarm: condition.badPeriods,
      treatMissingData: missing,
    });
    const action = this.topics.actionFor(severity);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  }
}

function listAlarms(props: MonitoringProps, authFailures: AuthFailures['metric']): AlarmDefinition[] {
  const { api, functions, table, schedules, intervals } = props;
  return [
    ...apiAlarms(api, authFailures),
    ...syncAlarms(functions.syncReleases, intervals),
    ...(functions.runPruner ? pruneAlarms(intervals) : []),
    ...fleetAlarms(functions.followFleet, intervals),
    ...jobAlarms(functions.watch, schedules, intervals),
    ...lambdaAlarms(functions),
    ...tableAlarms(table),
  ];
}
