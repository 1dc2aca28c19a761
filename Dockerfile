# For CI jobs, with a shell and git, and not as root:
#   docker build -t rules-check .
#   docker run --rm -v "$PWD:/work" rules-check rules-check check firestore.rules
# One static binary and nothing else:
#   docker build -t rules-check:alone --target alone .
#   docker run --rm -v "$PWD:/work" rules-check:alone check firestore.rules
FROM swift:6.3 AS build
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

FROM scratch AS alone
COPY --from=build /source/.build/release/rules-check /rules-check
WORKDIR /work
ENTRYPOINT ["/rules-check"]

# The user has the number of GitHub's runners: a job in this image can write into the checkout.
FROM debian:stable-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends bash ca-certificates git \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 1001 rules \
  && git config --system --add safe.directory '*'
COPY --from=build /source/.build/release/rules-check /usr/local/bin/rules-check
USER rules
WORKDIR /work
CMD ["rules-check", "help"]
