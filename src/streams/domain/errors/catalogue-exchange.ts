// The part of the error catalogue about import and export (`docs/commands.md`, "import" and "export").
import { entry } from './catalogue-services.ts';

export const OF_EXCHANGE = {
  ERR0801: entry(
    'format not known',
    'neither the name nor the content of the file says which program it belongs to',
    'name it: sup import --format <format> <file>',
  ),
  ERR0802: entry(
    'file to import breaks the syntax of its format',
    'the program that it belongs to would refuse it, too, or it is of another format',
    'correct the file, or name another format with --format',
  ),
  ERR0803: entry(
    'file to import cannot be read',
    'it does not exist, is not readable, binary, not UTF-8 or too large, or its includes lead back to it',
    'check the path, the mode and the content of the file',
  ),
  ERR0804: entry(
    'nothing to import',
    'the file declares no program that could become a service',
    'check whether this is the right file; an include may be missing',
  ),
  ERR0805: entry(
    'settings would be lost',
    '--strict permits no import or export that loses a setting',
    'look at the table of losses, then repeat the command without --strict',
  ),
  ERR0806: entry(
    'JavaScript not evaluated',
    'a configuration in JavaScript is a program; it runs only with --evaluate, and only if it can be confined',
    'read the file; if it can be trusted: sup import --evaluate <file>; or export it as JSON and import that',
  ),
  ERR0807: entry(
    'file not written',
    'its directory does not exist or cannot be written, or the disk is full',
    'check the directory and the disk, or name another place with --out',
  ),
  ERR0808: entry(
    'container image missing',
    'a container needs an image, which a manifest of sup does not have by itself',
    'name it: --image <service>=<image>, or --image <image> for all; or write x-image into the service',
  ),
  ERR0810: entry(
    'setting to import is not valid',
    'the program that the file belongs to would refuse the value, too',
    'correct the setting; if it uses a variable of the environment, set that for the import',
  ),
  ERR0811: entry(
    'too many services to import',
    'the file declares more processes than one manifest may have instances',
    'import the file in parts, or declare a smaller number',
  ),
  ERR0812: entry(
    'JavaScript gave no configuration',
    'it threw an error, ended itself, exceeded a limit of the evaluation, or needs what a confined program may not use',
    'correct the file, or evaluate it yourself, export the result as JSON and import that',
  ),
  ERR0813: entry(
    'files exist already',
    'without --yes an import or export replaces no existing file; none of its files was written',
    'name another place with --out, or replace these files: repeat the command with --yes',
  ),
} as const;
