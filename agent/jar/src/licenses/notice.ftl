<#-- Makes META-INF/NOTICE of the agent's jar from the list of what is in it. -->
Tempolimit
This jar contains parts of these libraries, relocated. Texts of licences: Apache-2.0 in LICENSE, others in licenses/.

<#list dependencyMap as e>
<#if e.key.groupId != "io.tempolimit">
${e.key.groupId}:${e.key.artifactId}:${e.key.version}  ${e.value?join(", ")}
</#if>
</#list>

net.bytebuddy:byte-buddy contains ASM, BSD-3-Clause: licenses/byte-buddy-ASM.
io.netty:netty-common contains JCTools, Apache-2.0.
org.apache.httpcomponents.client5:httpclient5 contains the public suffix list, MPL-2.0 (https://mozilla.org/MPL/2.0/).
Its source is META-INF/tempolimit/org/publicsuffix/list/effective_tld_names.dat, as published at https://publicsuffix.org/list/.
