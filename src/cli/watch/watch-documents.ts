// The live view in a pipe or with `--json`, which prints documents.
import { type Observable, tap } from 'rxjs';
import type { Context } from '../context.ts';
import { printDocument, printWarnings } from '../print.ts';
import type { News } from './news.ts';
import { upgradedText } from '../render/upgraded-text.ts';

/** Prints each view as a JSON document, one per line; other messages go to standard error. */
const print = (context: Context, news: News): void => {
  const aside = (text: string): void => printWarnings(context, [text]);
  switch (news.tag) {
    case 'seen':
      return printDocument(context, { schema: 'sup.view/1', ...news.view });
    case 'lost':
      return aside(`${news.error.code} ${news.error.message}; waiting for the supervisor`);
    case 'found':
      return news.again ? aside(`connected again, supervisor pid ${news.hello.pid}`) : undefined;
    case 'upgraded':
      return aside(upgradedText(news.hello));
  }
};

export function documents(news$: Observable<News>, context: Context): Observable<News> {
  return news$.pipe(tap((news) => print(context, news)));
}
