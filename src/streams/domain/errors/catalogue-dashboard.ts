// The part of the error catalogue about `sup dashboard`.
import { entry } from './catalogue-services.ts';

export const OF_DASHBOARD = {
  ERR0237: entry(
    'the dashboard only watches',
    'it was started without --allow-actions, so its pages can change nothing',
    'sup dashboard --allow-actions',
  ),
  ERR0238: entry(
    'the plan has changed',
    'a manifest or a service has changed since the plan was shown',
    'look at the plan again, then apply it',
  ),
  ERR0239: entry(
    'question of a page refused',
    'the page sends too many questions at once or has another version, or the message was not sent by a page',
    'load the page again',
  ),
  ERR0240: entry(
    'the dashboard cannot listen',
    'the port is in use, the address is not of this machine, or a file cannot be read, such as those of the page',
    'give another --port, or correct --address, --unix, --tls-cert or --tls-key; if the page is missing, install the package again',
  ),
} as const;
