// The exports of `sup/client` (`docs/api.md`).
export { ClientFailure } from './client-failure.ts';
export type {
  ConfigOptions,
  ExecOptions,
  Executed,
  InspectOptions,
  Patience,
  Place,
  StartOptions,
  Sup,
  ValidateOptions,
  WaitOptions,
} from './api/sup-interface.ts';
export { connect } from './api/connect.ts';
export type { Feed } from './feed.ts';
export type { EventQuery, LogQuery, Moment } from './line-feeds.ts';
export type { Selection } from '../streams/domain/command.ts';
export type {
  ErrorDocument,
  ErrorReport,
  ExitDocument,
  FailureDocument,
  HealthWord,
  LogDocument,
  PortDocument,
  ProblemDocument,
  ProblemsDocument,
  StateWord,
  TimeText,
  UndeliveredAlerts,
  UndeliveredDocument,
  Whole,
} from '../streams/wire/documents/basic-documents.ts';
export type {
  ChildDocument,
  PastChildDocument,
  SpawnDocument,
} from '../streams/wire/documents/child-documents.ts';
export type {
  ChangeDocument,
  DashboardDocument,
  DoneDocument,
  KeyDocument,
  OutcomeDocument,
  PlanDocument,
  SpawnedDocument,
  StagedDocument,
} from '../streams/wire/documents/command-documents.ts';
export type { ConfigDocument } from '../streams/wire/documents/config-document.ts';
export type {
  CronRunDocument,
  DeployDocument,
  GroupDocument,
  InspectDocument,
  InspectedService,
  PointDocument,
  ProcessDocument,
  ProjectDocument,
  RolloutDocument,
  RolloutRecordDocument,
  RunDocument,
  SamplesDocument,
  ServiceDocument,
  SpreadDocument,
  StageDocument,
  StatusDocument,
  SupervisorDocument,
  TransitionDocument,
  ViewDocument,
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
export type { AnyDocument } from '../streams/wire/documents/any-document.ts';
export type {
  LogPathsDocument,
  NoteDocument,
  PrunedDocument,
} from '../streams/wire/documents/log-documents.ts';
export type {
  BootDocument,
  DoctorDocument,
  HostDocument,
  PurgedDocument,
  UpgradeDocument,
  VersionDocument,
} from '../streams/wire/documents/machine-documents.ts';
export type {
  SecurityCheckDocument,
  SecurityDocument,
  ServiceSecurityDocument,
} from '../streams/wire/documents/security-documents.ts';
export type { Goal, WaitDocument } from '../streams/wire/documents/wait-document.ts';
