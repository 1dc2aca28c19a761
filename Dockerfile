# One static binary and nothing else:
#   docker build -t rules-check .
#   docker run --rm -v "$PWD:/work" rules-check check firestore.rules
FROM swift:6.2 AS build
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
# The manifest names the tests, which are not needed here.
RUN for target in $(grep -o '"Rules[A-Za-z]*Test[a-z]*"' Package.swift | tr -d '"' | sort -u); do \
       mkdir -p "Tests/$target" && touch "Tests/$target/Empty.swift"; \
     done \
  && mkdir -p Tests/RulesTests/Golden Tests/RulesTests/Regressions Tests/RulesTests/Conformance \
  && swift build --configuration release --product rules-check \
       --static-swift-stdlib -Xswiftc -static-executable \
  && strip .build/release/rules-check

FROM scratch
COPY --from=build /source/.build/release/rules-check /rules-check
WORKDIR /work
ENTRYPOINT ["/rules-check"]
