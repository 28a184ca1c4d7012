import { describe, expect, it } from 'vitest';
import { readSourceFiles } from './source-files.ts';

/** Former identifiers; docs/reference/glossary.md has the words that replace them. */
const FORMER = [
  'runWatch|Watch(?:Run|Result|Counts|Dependencies|Record|Request)|WATCH_(?:JOB|LIMITS)|WatchedPruning',
  'followFleet|FleetRun|(?:Sync|Fleet)Book|EMPTY_BOOK|keepFleetBook|bookOf|readBook',
  'Ahead|StoredAhead|aheadKey|readAhead|writeAhead|aheadOf',
  'Outlook|outlookOf|ClusterOutlook|clusterOutlook|outlookQuestion',
  'lookAt|lookAhead|lookAgain|lookAtTouched|LookedClusters',
  'concernKey|concernList|addConcerns|removeConcerns|channelsConcerned|pairOfConcern',
  'markReported|unmarkReported|ReportMark|reportedKey',
  '(?:Fleet|Cluster|Pruner)News|NewsType|NEWS_TYPES|newsText|publishNews|settleNews|tellOfPruners',
  'MessageUnderWay|untold|untoldOf|claimHeads|followPairs?|HeldBack|HeldAnswer',
  'StoredDocument|Document(?:Head|Draft|Cache)|publishDocument|readDocument|CachedDocument',
  'whileOthersWrite|inTurn|writeRevised|readRevised|deleteRevised',
  'UpgradeAnswer|answerView|UpgradeReport|upgradeReport|reportDocument|reportAsMarkdown|ReportQuestion',
  'outlinePlan|PlanOutline|outlineWorkings|Workings|assumedCluster|[wW]ayMinutes|FoundWay',
  'RollPoint|SkewOptions|hereService|readGiven|shownIfGiven|showValue|cleanLine',
  'stayReason|goReason|StayReason|GoReason|PLACE_LAYER|placeOfCurrent|SHAPING_PARAMETERS',
  'ConfigNode|SpecFields|ConfigMistake|DocumentMistake|TextFault|UrlMistake',
  'PassingFault|LeaseLostError|atATime|pLimit|allDone|useResource',
].join('|');

/** Names of deployed resources, and of the environment and metrics that go with them. */
const DEPLOYED = new Set(['followFleet']);

describe('vocabulary', () => {
  it('no product code has a former identifier', () => {
    const pattern = new RegExp(String.raw`(?<![\w$'.-])(?:${FORMER})(?![\w$'-])`, 'g');
    const found = readSourceFiles()
      .filter(({ path }) => !path.startsWith('test/'))
      .flatMap(({ path, code }) => (code.match(pattern) ?? []).map((name) => ({ path, name })))
      .filter(({ path, name }) => !(path.startsWith('infra/aws/') && DEPLOYED.has(name)));
    expect(found).toEqual([]);
  });
});
