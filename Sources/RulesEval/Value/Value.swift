import RulesLang
