// All documents that `sup` prints with `--json`. The key `schema` of a document names its type.
// `docs/schemas` is generated from this type.
import type { ErrorReport, LogDocument, ProblemsDocument } from './basic-documents.ts';
import type {
  DashboardDocument,
  DoneDocument,
  PlanDocument,
  SpawnedDocument,
  StagedDocument,
} from './command-documents.ts';
import type { ConfigDocument } from './config-document.ts';
import type { InspectDocument, StatusDocument, ViewDocument } from './documents.ts';
import type { EventDocument } from './event-document.ts';
import type { ExportDocument, ImportDocument } from './exchange-documents.ts';
import type { LogPathsDocument, NoteDocument, PrunedDocument } from './log-documents.ts';
import type {
  BootDocument,
  DoctorDocument,
  HostDocument,
  PurgedDocument,
  UpgradeDocument,
  VersionDocument,
} from './machine-documents.ts';
import type { MetricsDocument } from './metrics-documents.ts';
import type { SecurityDocument } from './security-documents.ts';
import type { WaitDocument } from './wait-document.ts';
import type { WhyDocument } from './why-document.ts';

export type AnyDocument =
  | BootDocument
  | ConfigDocument
  | DashboardDocument
  | DoctorDocument
  | DoneDocument
  | ErrorReport
  | EventDocument
  | ExportDocument
  | HostDocument
  | ImportDocument
  | InspectDocument
  | LogDocument
  | LogPathsDocument
  | MetricsDocument
  | NoteDocument
  | PlanDocument
  | ProblemsDocument
  | PrunedDocument
  | PurgedDocument
  | SecurityDocument
  | SpawnedDocument
  | StagedDocument
  | StatusDocument
  | UpgradeDocument
  | VersionDocument
  | ViewDocument
  | WaitDocument
  | WhyDocument;
