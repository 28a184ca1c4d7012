import { Aws } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, type IAlarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ScheduleSurroundings } from '../job-schedule.ts';
import type { AlarmSettings } from '../settings/settings.ts';
import type { TableReference } from '../storage.ts';
import { type AlarmDefinition, AlarmTopics, type Intervals } from './alarm-definition.ts';
import { ServiceDashboard } from './dashboard.ts';
import { fleetAlarms, jobAlarms, pruneAlarms, syncAlarms } from './job-alarms.ts';
import {
  apiAlarms,
  AuthFailures,
  lambdaAlarms,
  type MonitoredFunctions,
  tableAlarms,
} from './service-alarms.ts';

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

  #alarm({ name, severity, meaning, metric, condition, missing }: AlarmDefinition): IAlarm {
    const alarm = new Alarm(this, name, {
      alarmName: `${Aws.STACK_NAME}-${name}`,
      alarmDescription: `${meaning} Severity: ${severity}. Runbook: docs/runbook.md#${name}`,
      metric,
      threshold: condition.threshold,
      comparisonOperator: condition.operator,
      evaluationPeriods: condition.periods,
      datapointsToAlarm: condition.badPeriods,
      treatMissingData: missing ?? TreatMissingData.NOT_BREACHING,
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
