/** Sentences of an agent's message that say what is left to do. Pure. */

/** Sentences that say what is left. `$1`: the text after the label. */
export const STEPS: readonly RegExp[] = [
  /^(?:after (?:merging|deploying|releasing|pushing|the merge|the release|[^,]{0,80}\b(?:is|are) \w+ed\b)|once\b)[^,]*, (?:you(?:['’]ll| will) need an? |(?:(?:you can|please|then|just) )?(?:push|run|deploy|merge|tag|restart|re-?run|update|remove|delete|set)\b)/i,
  /^(?:remaining|still (?:to do|missing|open)|to-?do|deferred|left to do|not done(?: yet)?|follow[ -]?ups?|pending)\s*[:—–]\s*(.+)$/i,
  /^(?:[^\p{L}]{1,3} )?(?:(?:the|your|our|recommended|suggested|proposed|immediate) )*next(?: (?:steps?|focus|up|task|action|command))?(?: \([^)]{1,60}\))?\s*(?:(?:is|are|would be|will be)\s+(?:to\s+|(?=\w+ing\b))|[:—–-]\s*)(.+)$/iu,
  /^(?:[^\p{L}]{1,3} )?(?:prochaines? (?:étapes?|actions?)(?: logiques?)?|próxim[oa]s? (?:pass?os?|etapas?|ações?|ação)|siguientes? pasos?|nächster? schritte?|prossim[oi] pass[oi]|следующ(?:ий|ие) шаги?|下一步(?:建议)?|次のステップ|다음 단계)(?:\s*[:：]|\s[—–-]\s)\s*(.+)$/iu,
  /^(?:the )?remaining(?: [\w-]+){0,2}? (?:work|steps?|tasks?|items?|pieces?|parts?) (?:is|are)(?: to|:)? (?!(?:all |now |also |already )*(?:done|complete|finished|minor|optional|small|green|in ))(.+)$/i,
  /^(?:one|two|a few) (?:more )?things? (?:worth|to) (?:check|confirm|verify)(?:ing)?\b[^:]{0,30}[:—–].+$/i,
  /^(?:the )?(?:only )?remaining (?:[\w-]+ )?(?:issues?|blockers?|problems?|gaps?) (?:is|are) (?!.*\b(?:pre-?existing|unrelated|expected|harmless|cosmetic)\b).+$/i,
  /^(?:.{0,200}(?:\s[—–]|, (?:so|but)) )?(?:(?:since|as|because|to|after|before|once)\b[^,]*, |so |now |then |first,? |all )*you(?:'ll|’ll| will| just| still| may| might)*\s+(?:still )?(?:need|have) to (?!be\b)/i,
  /^(?:(?:and|also|please),? )?(?:don['’]t forget|remember) to (?:re-?)?(?:run|set|add|push|commit|deploy|start|install|configure|update|apply|enable|create|export|rotate|merge|build)\b.*$/i,
  /^(?:.*[,;—–-] )?ready (?:to|for) (?:your (?:next )?)?(?:push|merge|commit|deploy|release|ship|test|review|publish|run|start|plan|execute|be (?:pushed|merged|deployed)|(?=`))(?:`[^`]*`|[^`,;:—–])*$/i,
  /^(?:.{0,200}[;,] )?please (?:(?:now|also) )?(?:exercise|test|verify)\b(?!.*\b(?:paste|send|share|if)\b).*$/i,
  /^.* and ready for `[^`]+`/i,
  /^.*\bready for you to (?:push|merge|commit|deploy|release|ship|test|review|publish|run|try)\b.*$/i,
  /^next (?:up|steps?) (?:after|once|when(?:ever)?) .*$/i,
  /^ready to .+ (?:whenever|once|when|as soon as) you (?:have|get|provide|send|share|give)\b.*$/i,
  /^(?=.*\b(?:push|merged?|commit|deploy|release|publish|review)\b).* when(?:ever)? (?:you(?:['’]re| are) )?ready[.!:]?$/i,
  /^(?:(?:please|just) )*let me know (?:once|when|after) you(?:['’](?:ve|re)| have| are) .+ I(?:['’]ll| will)\b/i,
  /^.*\b(?:(?:is|are) still|remains?) (?:pending|unresolved|uncommitted|unpushed|unmerged|untested)\b.*$/i,
  /^(?!no\b|none\b|nothing\b|.*\bshould be (?:fixed|resolved) now\b).*(?<!(?:n['’]t|\bnot|\bnever|\bno longer) )\b(?:must|should|needs? to|has to|have to|is to|are to) be (?:reverted|removed|replaced|changed back|undone|rotated|updated|fixed|migrated|restored|added|tested|retried|re-?run|rebased|rebuilt|redeployed|restarted|reviewed|verified|committed|merged|deployed)\b.*$/i,
]

/** What was not done yet. A quote keeps it as well, because it says where things stand. */
const DONE = '(?:committed|pushed|merged|deployed|published|released|tested|verified)'
export const UNDONE = new RegExp(
  String.raw`^(?!.*\b(?:because|since|as (?:you )?(?:asked|requested))\b).*(?:\bnot yet (?:been )?${DONE}\b|(?:\bnot|n['’]t) (?:been )?${DONE}\b.{0,30}\byet\b)`,
  'i',
)
