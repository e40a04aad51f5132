// The kernel features that `sup` uses.
import { fine, type Finding } from './finding.ts';
import { isAtLeast } from './release.ts';

export interface KernelFacts {
  readonly release: string;
  /** 0: no Landlock; absent: it is not known. */
  readonly landlockAbi?: number | undefined;
  readonly seccomp: boolean;
  readonly userNamespaces: boolean;
}

const EXIT_OF_OTHERS = [6, 15] as const;

const landlockText = (abi: number | undefined): string => {
  if (abi === undefined) return 'Landlock unknown';
  return abi === 0 ? 'no Landlock' : `Landlock ABI ${abi}`;
};

/** Always fine: a missing feature is reported for the key that needs it. */
export const judgeKernel = ({ release, landlockAbi, seccomp, userNamespaces }: KernelFacts): Finding => {
  const says = [
    `Linux ${release}`,
    landlockText(landlockAbi),
    seccomp ? 'seccomp' : 'no seccomp',
    userNamespaces ? 'user namespaces' : 'no user namespaces',
    isAtLeast(release, EXIT_OF_OTHERS)
      ? 'tells exit statuses through a pidfd'
      : `does not tell exit statuses through a pidfd (from Linux ${EXIT_OF_OTHERS.join('.')})`,
  ];
  return fine('kernel', says.join(', '));
};
