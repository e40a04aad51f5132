// The documents about this machine and this installation of `sup`.
import type { Whole } from './basic-documents.ts';

/** The document of `sup boot --json`. */
export interface BootDocument {
  readonly schema: 'sup.boot/1';
  readonly action: 'install' | 'remove' | 'status';
  readonly scope: 'user' | 'system';
  readonly init: 'systemd' | 'openrc' | 'crontab';
  readonly where: string;
  readonly installed: boolean;
  /** True if sup or its package has created the boot entry. Other entries are never changed. */
  readonly ours: boolean;
  readonly enabled: boolean;
  /** True if the boot entry has the text that sup would write now. */
  readonly current: boolean;
  /**
   * True if the boot entry started the running supervisor; `null` if none runs, or if it is not known.
   */
  readonly supervises: boolean | null;
  readonly changed: boolean;
  readonly verified: boolean | null;
  readonly dry_run: boolean;
  readonly text: string;
  readonly hints: readonly string[];
}

/** The document of `sup doctor --json`. */
export interface DoctorDocument {
  readonly schema: 'sup.doctor/1';
  /** The most serious level among the checks. */
  readonly verdict: 'ok' | 'warning' | 'problem';
  readonly checks: readonly {
    /** A short name for the check, unique in a document. */
    readonly id: string;
    readonly level: 'ok' | 'warning' | 'problem';
    readonly says: string;
    /** What the user should do about the result of the check; `null` if nothing is wrong. */
    readonly mend: string | null;
  }[];
}

/** The document of `sup version --json`. */
export interface VersionDocument {
  readonly schema: 'sup.version/1';
  readonly version: string;
  /** The version of the running supervisor; `null` if none answers. */
  readonly supervisor: string | null;
  readonly installation: {
    readonly kind: 'clone' | 'deb' | 'npm' | 'tarball';
    readonly directory: string;
  };
  readonly node: { readonly version: string; readonly path: string };
  /** The addon through which the C library is called. */
  readonly ffi: {
    readonly kind: 'prebuilt' | 'compiled' | 'none';
    readonly path: string | null;
    /**
     * The reason why the first addon could not be used, or why no addon could be used; `null` if the first
     * addon is used.
     */
    readonly refused: string | null;
  };
}

/** The document of `sup upgrade --json`. */
export interface UpgradeDocument {
  readonly schema: 'sup.upgrade/1';
  /** The versions of the old and the new program. */
  readonly from: string;
  readonly to: string;
  readonly pid: Whole;
  readonly took_ms: Whole;
  readonly warnings: readonly string[];
}

/** The document of `sup purge --json`. */
export interface PurgedDocument {
  readonly schema: 'sup.purged/1';
  readonly dry_run: boolean;
  readonly bytes: Whole;
  readonly removed: readonly {
    readonly project: string | null;
    readonly kind: 'logs' | 'state' | 'all' | 'boot';
    readonly path: string;
    readonly bytes: Whole;
  }[];
  /** The runs that were stopped. They belonged to no supervisor. */
  readonly stopped: readonly { readonly service: string; readonly run: Whole; readonly pid: Whole }[];
}

/** The document for one machine, if the command line has several `--host` options. */
export interface HostDocument {
  readonly schema: 'sup.host/1';
  /** The host, as the user wrote it after `--host`. */
  readonly host: string;
  /** The document that the command printed on that host. */
  readonly document: { readonly schema: string; readonly [key: string]: unknown };
}
