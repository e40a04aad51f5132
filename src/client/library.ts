// What `import … from 'sup/client'` gives (`docs/api.md`).
export { ClientFailure } from './client-failure.ts';
export type {
  ConfigOptions,
  InspectOptions,
  Patience,
  Place,
  StartOptions,
  Sup,
} from './api/sup-interface.ts';
export { connect } from './connect.ts';
export type { Feed } from './feed.ts';
export type { EventQuery, LogQuery, Moment } from './line-feeds.ts';
export type { Selection } from '../streams/domain/command.ts';
export type {
  ErrorDocument,
  ExitDocument,
  HealthWord,
  LogDocument,
  PortDocument,
  ProblemDocument,
  StateWord,
} from '../streams/wire/documents/basic-documents.ts';
export type {
  ChildDocument,
  PastChildDocument,
  SpawnDocument,
} from '../streams/wire/documents/child-documents.ts';
export type {
  ChangeDocument,
  DoneDocument,
  KeyDocument,
  OutcomeDocument,
  PlanDocument,
} from '../streams/wire/documents/command-documents.ts';
export type { ConfigDocument } from '../streams/wire/documents/config-document.ts';
export type {
  CronRunDocument,
  DeployDocument,
  FailureDocument,
  GroupDocument,
  InspectDocument,
  InspectedService,
  ProcessDocument,
  ProjectDocument,
  RolloutDocument,
  RolloutRecordDocument,
  RunDocument,
  ServiceDocument,
  StageDocument,
  StatusDocument,
  SupervisorDocument,
  TransitionDocument,
} from '../streams/wire/documents/documents.ts';
export type { MeasuredService, MetricsDocument } from '../streams/wire/documents/metrics-documents.ts';
export type { EventDocument, EventRollout } from '../streams/wire/documents/event-document.ts';
export type {
  WhyAction,
  WhyDocument,
  WhyRoot,
  WhyService,
  WhyStep,
} from '../streams/wire/documents/why-document.ts';
